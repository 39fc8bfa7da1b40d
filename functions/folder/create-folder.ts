import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdJson, FolderIdJson, Name } from '../../shared/http/declaration/fields.ts'
import { createFolder as create } from '../../shared/library/folders/folders.ts'
import { Folder, folderJson } from './schema.ts'

export const createFolder = endpoint({
  route: 'POST /folder',
  summary: 'Create a folder',
  description:
    'Needs ADMIN on the parent. A root folder needs membership of its company; its creator has READ, WRITE and ADMIN on it. Two ' +
    'folders may have the same name. Folders nest at most 200 levels deep: beyond that it is a 400 with the code `nested_too_deep`.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  body: z
    .object({ name: Name, parent: FolderIdJson.nullable().default(null), company_id: CompanyIdJson.nullish() })
    .meta({ id: 'NewFolder', examples: [{ name: 'Harbour', parent: null }] }),
  returns: Folder,
  refuses: ['forbidden', 'not found'],
  async handle({ body, ...library }) {
    const { name, parent, company_id } = body
    return folderJson(await create(library, { name, parent, companyId: company_id ?? undefined }))
  },
})
