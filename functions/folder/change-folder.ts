import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { changeFolder as change } from '../../shared/library/folders/folders.ts'
import { Folder, FolderInput, folderJson } from './schema.ts'

export const changeFolder = endpoint({
  route: 'POST /folder/{id}',
  summary: 'Rename or move a folder',
  description:
    'Needs ADMIN on the folder, and on the parent that it moves to. A field that is absent stays as it is; `parent: null` makes it ' +
    'a root folder. Who moves a folder to the root keeps the rights that they inherited, until it goes below another folder again. ' +
    "A permanent folder can't be changed. Moving a folder below itself is a 400 with the code `folder_cycle`.",
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText },
  body: FolderInput,
  returns: Folder,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const { name, parent, company_id } = body
    return folderJson(await change(library, params.id, { name, parent, companyId: company_id ?? undefined }))
  },
})
