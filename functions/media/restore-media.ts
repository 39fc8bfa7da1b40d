import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerFolderId, FolderIdJson, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { restoreMedia as restore } from '../../shared/library/trash/restore.ts'

export const restoreMedia = endpoint({
  route: 'POST /media/{id}/restore',
  summary: "Move a file from the caller's trashcan back to the folder that it was in",
  description:
    '`folder` names another folder instead. Needs WRITE there. 409 with the code `origin_gone` where none is named and the folder that the ' +
    "file was in is gone, in a trashcan, or may not be written any more. 404 for what isn't in the caller's trashcan.",
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: MediaIdText },
  body: z
    .object({ from: FolderIdJson.describe("the caller's trashcan"), folder: FolderIdJson.optional().meta({ examples: [1843301] }) })
    .meta({ id: 'RestoreMediaInput' }),
  returns: z.object({ folder_id: AnswerFolderId.describe('the folder that holds it now') }).meta({ id: 'RestoredMedia' }),
  refuses: ['forbidden', 'conflict'],
  async handle({ params, body, ...library }) {
    return { folder_id: await restore(library, params.id, body.from, body.folder) }
  },
})
