import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { shareFolder } from '../../shared/library/cliques/shares.ts'
import { CliqueFolder, SharedFolderParams, shareJson } from './schema.ts'

/** A boolean, or its name as forms send it. */
const YesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], {
  error: 'must be true or false',
})

export const shareFolderWithClique = endpoint({
  route: 'POST /clique/{id}/folder/{folderId}',
  summary: 'Share a folder with a clique; replaces what the clique had on it',
  description:
    "For admins of the company. `READ` and `WRITE` don't imply each other; `upload` lets members upload without changing metadata. " +
    'Sharing again replaces what the clique had. At most 2,000 folders are shared with a clique.',
  access: 'user',
  uses: { table: 'write' },
  params: SharedFolderParams,
  body: z.object({ access: z.enum(['READ', 'WRITE']), upload: YesOrNo.default(false) }).meta({ id: 'NewShare' }),
  returns: CliqueFolder,
  refuses: ['forbidden'],
  async handle({ params, body, caller, table }) {
    const { access, upload } = body
    const rights = upload ? [access, 'UPLOAD' as const] : [access]
    return shareJson(await shareFolder(table, new Access(table, caller), { cliqueId: params.id, folderId: params.folderId }, rights))
  },
})
