import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireMember } from '../../shared/library/access/people.ts'

export const getApiEndpoint = endpoint({
  route: 'GET /company/{id}/apiendpoint',
  summary: 'Where the API is for a company',
  description: 'For members of the company.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: CompanyIdText },
  returns: z
    .object({
      protocol: z.enum(['http', 'https']),
      host: z.string().meta({ description: 'with the port, where it is not the usual one', examples: ['library.example.com'] }),
    })
    .meta({ id: 'ApiEndpoint' }),
  async handle({ params, access, baseUrl }) {
    requireMember({ access }, params.id)
    const { protocol, host } = new URL(baseUrl)
    return { protocol: protocol === 'https:' ? ('https' as const) : ('http' as const), host }
  },
})
