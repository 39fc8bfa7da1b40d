import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { CompanyIdText, FolderIdText } from '../../shared/http/fields.ts'
import { flag, many } from '../../shared/http/query.ts'
import { shownAs } from '../../shared/http/shown-as.ts'
import { tagged } from '../../shared/http/tagged.ts'
import { matchesName, orderedFolders } from '../../shared/library/folders/ordered-folders.ts'
import { folderList, wholeFolderList } from './folder-list.ts'
import { ListedFolder } from './schema.ts'

export const listFolders = endpoint({
  route: 'GET /folder',
  summary: 'List the folders that the caller can see',
  description:
    "Folders on which the caller has any right, with the caller's flags on each. Without `company_id` they are those of the " +
    "caller's own company, unless `id` or `parent` names folders: then of all companies of the caller.",
  access: 'user',
  uses: { table: 'read' },
  query: z.object({
    q: z
      .string()
      .optional()
      .describe('part of the name')
      .meta({ examples: ['harb'] }),
    id: many(FolderIdText).optional(),
    parent: shownAs(z.union([z.literal('null'), FolderIdText]), { type: 'string', pattern: '^(null|[1-9][0-9]{0,8})$' })
      .optional()
      .describe('folder id; `null` for root folders'),
    company_id: CompanyIdText.optional(),
    exclude_per_user_system_folders: flag().optional().describe("leaves out the caller's trashcan"),
    sort_by: z.enum(['name', 'created']).optional(),
    sort_order: z.enum(['asc', 'desc']).optional(),
  }),
  returns: z.array(ListedFolder),
  askForLess: 'Ask for a part: `parent`, `id` or `q`.',
  refuses: ['not found'],
  async handle({ query, access }) {
    const named = query.id !== undefined || typeof query.parent === 'number'
    const companies = query.company_id ? [query.company_id] : named ? access.companyIds : access.companyIds.slice(0, 1)
    const order = { sortBy: query.sort_by, order: query.sort_order }
    const selection = { parent: query.parent === 'null' ? null : query.parent, ids: query.id && new Set(query.id) }
    return tagged(await access.folderVersions(companies), async () => {
      const { q, exclude_per_user_system_folders: withoutTrash } = query
      const [company] = companies
      const isAll = !named && query.parent === undefined && q === undefined && !withoutTrash
      if (isAll && company !== undefined && access.isMember(company)) return wholeFolderList(await access.rightsOnAll(company), order)
      const folders = await orderedFolders({ access }, companies, order, selection)
      return folderList(
        folders.filter(({ record }) => (q === undefined || matchesName(q, record.name)) && !(withoutTrash && record.system === 'trash')),
      )
    })
  },
})
