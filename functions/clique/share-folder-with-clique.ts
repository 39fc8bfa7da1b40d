import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { shareFolder } from '../../shared/library/cliques/shares.ts'
import { CliqueFolder, shareJson } from './schema.ts'

/** A boolean, or its name, which forms send. */
const YesOrNo = documentedAs(
  z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], {
    error: 'must be true or false',
  }),
  { type: 'boolean' },
)

export const shareFolderWithClique = endpoint({
  route: 'POST /clique/{id}/folder/{folderId}',
  summary: 'Share a folder with a clique; replaces what the clique had on it',
  description:
    "For admins of the company. `READ` and `WRITE` don't imply each other; `upload` lets members upload without changing metadata. " +
    'Sharing again replaces what the clique had. At most 2,000 folders are shared with a clique.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CliqueIdText, folderId: FolderIdText },
  body: z.object({ access: z.enum(['READ', 'WRITE']), upload: YesOrNo.default(false) }).meta({ id: 'NewShare' }),
  returns: CliqueFolder,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const rights = body.upload ? [body.access, 'UPLOAD' as const] : [body.access]
    return shareJson(await shareFolder(library, params.id, params.folderId, rights))
  },
})
