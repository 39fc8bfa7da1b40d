import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText, UserIdText } from '../../shared/http/declaration/fields.ts'
import { grantFolder } from '../../shared/library/folders/grants.ts'
import { rights } from '../../shared/library/tree/folder.ts'
import { FolderGrant } from './access-schema.ts'

export const setFolderAccess = endpoint({
  route: 'POST /folder/{id}/access/{userId}',
  summary: 'Grant a user rights on a folder; replaces what the folder itself granted them',
  description:
    'The rights reach everything below the folder. None takes the grant away; what the user has by cliques and by folders further up stays. ' +
    "`READ`, `WRITE` and `ADMIN` don't imply each other. A folder grants rights to at most 1,000 users. 403 for what lies in a trashcan. " +
    'Needs ADMIN on the folder.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText, userId: UserIdText },
  body: z
    .object({
      flags: z
        .array(z.enum(rights))
        .max(rights.length)
        .meta({ examples: [['READ', 'WRITE']] }),
    })
    .meta({ id: 'NewGrant' }),
  returns: FolderGrant,
  refuses: ['forbidden'],
  async handle({ params: { id, userId }, body, ...library }) {
    const { grants } = await grantFolder(library, id, userId, body.flags)
    return { folder_id: id, user_id: userId, flags: [...(grants[userId] ?? [])] }
  },
})
