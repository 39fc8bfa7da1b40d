import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { flag, many } from '../../shared/http/declaration/query.ts'
import { withEtag } from '../../shared/http/declaration/results.ts'
import { withContents } from '../../shared/library/folders/child-folders.ts'
import { containing, orderedFolders } from '../../shared/library/folders/ordered-folders.ts'
import { childList, folderList, wholeFolderList } from './folder-list.ts'
import { ListedFolder } from './schema.ts'

/** The parents of lists that are no folders. */
const special = { null: null, 0: 'top' } as const

export const listFolders = endpoint({
  route: 'GET /folder',
  summary: 'List the folders that the caller can see',
  description:
    "Folders on which the caller has any right, with the caller's flags on each. Without `company_id` they are those of the " +
    "caller's own company, unless `id` or `parent` names folders: then of all companies of the caller. With a `parent` each tells whether " +
    'folders lie in it and how many files it holds; 404 where the caller has no right on that folder.',
  access: 'user',
  uses: { table: 'read', search: 'read' },
  query: z.object({
    q: z
      .string()
      .optional()
      .describe('part of the name')
      .meta({ examples: ['harb'] }),
    id: many(FolderIdText).optional(),
    parent: documentedAs(z.union([z.enum(['null', '0']), FolderIdText]), { type: 'string', pattern: '^(null|0|[1-9][0-9]{0,8})$' })
      .optional()
      .describe('folder id; `null` for root folders, `0` for the topmost ones on which the caller has a right, trashcans last'),
    company_id: CompanyIdText.optional(),
    exclude_per_user_system_folders: flag().optional().describe("leaves out the caller's trashcan"),
    sort_by: z.enum(['name', 'created']).optional(),
    sort_order: z.enum(['asc', 'desc']).optional(),
  }),
  returns: z.array(ListedFolder),
  askForLess: 'Ask for a part: `parent`, `id` or `q`.',
  refuses: ['not found'],
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ query, access, search }) {
    const parent = typeof query.parent === 'string' ? special[query.parent] : query.parent
    const isChildren = parent !== undefined && parent !== null
    const named = query.id !== undefined || isChildren
    const companies = query.company_id ? [query.company_id] : named ? access.companyIds : access.companyIds.slice(0, 1)
    const order = { sortBy: query.sort_by, order: query.sort_order }
    const selection = { parent, ids: query.id && new Set(query.id) }
    if (typeof parent === 'number') await access.folder(parent)
    const versions = await access.folderVersions(companies)
    const { q, exclude_per_user_system_folders: withoutTrash } = query
    const isNamed = q === undefined ? undefined : containing(q)
    const chosen = async () => {
      const folders = await orderedFolders({ access }, companies, order, selection)
      return folders.filter(({ record }) => (isNamed?.(record.name) ?? true) && !(withoutTrash && record.system === 'trash'))
    }
    if (isChildren) {
      const children = await withContents({ access, search }, await chosen())
      return withEtag([...versions, ...children.map(({ files }) => files ?? '')], () =>
        childList(children, `${parent} ${order.sortBy} ${order.order}`),
      )
    }
    return withEtag(versions, async () => {
      const [company] = companies
      const isAll = !named && parent === undefined && q === undefined && !withoutTrash
      if (isAll && company !== undefined && access.isMember(company)) return wholeFolderList(await access.rightsOnAll(company), order)
      return folderList(await chosen())
    })
  },
})
