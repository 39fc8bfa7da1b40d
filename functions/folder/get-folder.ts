import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { Folder, FolderParams, folderJson } from './schema.ts'

export const getFolder = endpoint({
  route: 'GET /folder/{id}',
  summary: 'Read one folder',
  description: 'Needs READ on the folder.',
  access: 'user',
  uses: { table: 'read' },
  params: FolderParams,
  returns: Folder,
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    return folderJson(await new Access(table, caller).folderWith('READ', params.id))
  },
})
