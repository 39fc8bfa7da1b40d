import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { Folder, folderJson } from './schema.ts'

export const getFolder = endpoint({
  route: 'GET /folder/{id}',
  summary: 'Read one folder',
  description: 'Needs READ on the folder.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: FolderIdText },
  returns: Folder,
  refuses: ['forbidden'],
  async handle({ params, access }) {
    return folderJson(await access.folderWith('READ', params.id))
  },
})
