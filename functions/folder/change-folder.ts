import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { changeFolder as change } from '../../shared/library/folders/folders.ts'
import { Folder, FolderInput, FolderParams, folderJson } from './schema.ts'

export const changeFolder = endpoint({
  route: 'POST /folder/{id}',
  summary: 'Rename or move a folder',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  body: FolderInput,
  returns: Folder,
  async handle({ params, body, caller, table, clock }) {
    const { name, parent, company_id } = body
    return folderJson(
      await change({ table, clock }, new Access(table, caller), params.id, { name, parent, companyId: company_id ?? undefined }),
    )
  },
})
