import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { Folder } from './schema.ts'

export const getFolderPath = endpoint({
  route: 'GET /folder/{id}/path',
  summary: 'List the folders that lead to a folder, and the folder itself',
  description:
    'From the topmost folder that the caller can see, on which they have any right, to the folder itself. In a trashcan it begins with that. ' +
    'Needs any right on the folder.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: FolderIdText },
  returns: z.object({ path: z.array(Folder.pick({ id: true, name: true })) }).meta({ id: 'FolderPath' }),
  async handle({ params, access }) {
    return { path: (await access.path(params.id)).map(({ folderId, name }) => ({ id: folderId, name })) }
  },
})
