import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { IdText } from '../../shared/http/fields.ts'
import { flag, many } from '../../shared/http/query.ts'
import { Access, type VisibleFolder } from '../../shared/library/access/access.ts'
import { matchesName } from '../../shared/library/folders/matches-name.ts'
import { ListedFolder, listedFolderJson } from './schema.ts'

export const listFolders = endpoint({
  route: 'GET /folder',
  summary: 'List the folders that the caller can see',
  access: 'user',
  uses: { table: 'read' },
  query: z.object({
    q: z.string().optional().describe('part of the name'),
    id: many(IdText).optional(),
    parent: z
      .union([z.literal('null'), IdText])
      .optional()
      .describe('folder id; `null` for root folders'),
    company_id: IdText.optional(),
    exclude_per_user_system_folders: flag().optional().describe("leaves out the caller's trashcan"),
    sort_by: z.enum(['name', 'created']).optional(),
    sort_order: z.enum(['asc', 'desc']).optional(),
  }),
  returns: z.array(ListedFolder),
  async handle({ query, caller, table }) {
    const access = new Access(table, caller)
    const named = query.id !== undefined || typeof query.parent === 'number'
    const companies = query.company_id ? [query.company_id] : named ? access.companyIds : access.companyIds.slice(0, 1)
    const folders = (await Promise.all(companies.map((companyId) => access.visibleFolders(companyId)))).flat()
    const wanted = query.id && new Set(query.id)
    const parent = query.parent === 'null' ? null : query.parent
    return folders
      .filter(({ record }) => !wanted || wanted.has(record.folderId))
      .filter(({ record }) => parent === undefined || record.parent === parent)
      .filter(({ record }) => query.q === undefined || matchesName(query.q, record.name))
      .filter(({ record }) => !(query.exclude_per_user_system_folders && record.system === 'trash'))
      .sort(inOrder(query.sort_by ?? 'name', query.sort_order ?? 'asc'))
      .map(listedFolderJson)
  },
})

const byName = new Intl.Collator('en', { numeric: true })

/** Ties are broken by id, so that every answer has one order. */
function inOrder(field: 'name' | 'created', order: 'asc' | 'desc') {
  const sign = order === 'asc' ? 1 : -1
  return ({ record: a }: VisibleFolder, { record: b }: VisibleFolder) =>
    sign * (field === 'name' ? byName.compare(a.name, b.name) : a.created - b.created) || a.folderId - b.folderId
}
