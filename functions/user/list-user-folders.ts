import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { withEtag } from '../../shared/http/declaration/results.ts'
import { foldersOfUser } from '../../shared/library/folders/user-folders.ts'
import { UserFolder, userFolderJson } from './schema.ts'

export const listUserFolders = endpoint({
  route: 'GET /user/{id}/folders',
  summary: 'List the folders that a user can see, by name; of others for admins only',
  description:
    'Here the ids of folder and company are strings. Of other users: for admins, as far as their companies go, and without the ' +
    'trashcan.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: UserIdText },
  returns: z.array(UserFolder),
  askForLess: 'Ask `GET /folder` for a part: `company_id` with `parent` or `q`.',
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    const { versions, read } = await foldersOfUser(library, params.id)
    return withEtag(versions, async () => (await read()).map(userFolderJson))
  },
})
