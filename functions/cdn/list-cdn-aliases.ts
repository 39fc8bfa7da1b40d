import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerFolderId, CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { cdnFolders, isCdnFolder, MAX_ALIASES } from '../../shared/library/tree/system-folders.ts'

const CdnAlias = z
  .object({
    folder_id: AnswerFolderId.describe('the CDN folder: files that are copied into it get a link'),
    alias: z.string().meta({ description: 'first path segment of its links', examples: ['press'] }),
    folder_name: z.string().meta({ examples: ['Press'] }),
  })
  .meta({ id: 'CdnAlias' })

export const listCdnAliases = endpoint({
  route: 'GET /cdn/{company}/company/aliases',
  summary: 'List the CDN aliases of a company',
  description: 'For members of the company: the aliases whose folders the caller can see, in alphabetical order.',
  access: 'user',
  uses: { table: 'read' },
  params: { company: CompanyIdText },
  returns: z
    .object({
      count: z
        .number()
        .int()
        .meta({ minimum: 0, maximum: MAX_ALIASES, description: 'how many came', examples: [1] }),
      limit: z
        .number()
        .int()
        .meta({ description: 'how many a company can have', examples: [MAX_ALIASES] }),
      aliases: z.array(CdnAlias),
    })
    .meta({ id: 'CdnAliases' }),
  async handle({ params, access }) {
    requireMember({ access }, params.company)
    const visible = (await access.visibleOf(params.company, cdnFolders)).map(({ record }) => record).filter(isCdnFolder)
    const aliases = visible.map(({ folderId, alias, name }) => ({ folder_id: folderId, alias, folder_name: name }))
    return { count: aliases.length, limit: MAX_ALIASES, aliases }
  },
})
