import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerFolderId, FolderIdJson, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { restoreFolder as restore } from '../../shared/library/trash/restore.ts'

export const restoreFolder = endpoint({
  route: 'POST /folder/{id}/restore',
  summary: "Move a folder from the caller's trashcan back to where it was",
  description:
    '`parent` names another folder instead, null the root. Needs ADMIN on the folder, and there. 409 with the code `origin_gone` where none is ' +
    "named and the folder that it was in is gone, in a trashcan, or no longer the caller's to change. 404 for what isn't in the caller's trashcan.",
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText },
  body: z
    .strictObject({ parent: FolderIdJson.nullable().optional() })
    .default({})
    .meta({ id: 'RestoreFolderInput', examples: [{}] }),
  returns: z
    .object({ folder_id: AnswerFolderId.nullable().describe('the folder that it is in now; null at the root') })
    .meta({ id: 'RestoredFolder' }),
  refuses: ['forbidden', 'conflict'],
  async handle({ params, body, ...library }) {
    return { folder_id: await restore(library, params.id, body.parent) }
  },
})
