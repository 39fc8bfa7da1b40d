import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Id, Name } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { createFolder as create } from '../../shared/library/folders/folders.ts'
import { Folder, folderJson } from './schema.ts'

export const createFolder = endpoint({
  route: 'POST /folder',
  summary: 'Create a folder',
  access: 'user',
  uses: { table: 'write' },
  body: z.object({ name: Name, parent: Id.nullable().default(null), company_id: Id.nullish() }),
  returns: Folder,
  async handle({ body, caller, table, clock }) {
    const { name, parent, company_id } = body
    return folderJson(await create({ table, clock }, new Access(table, caller), { name, parent, companyId: company_id ?? undefined }))
  },
})
