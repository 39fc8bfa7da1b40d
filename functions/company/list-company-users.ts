import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { CompanyIdText } from '../../shared/http/fields.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { listActiveUsers } from '../../shared/library/accounts/users.ts'
import { CompanyUser } from './schema.ts'

export const listCompanyUsers = endpoint({
  route: 'GET /company/{id}/users',
  summary: 'List the users of a company, by name',
  description: 'For members of the company. Disabled users are left out.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: CompanyIdText },
  returns: z.array(CompanyUser),
  async handle({ params, baseUrl, ...library }) {
    requireMember(library, params.id)
    const users = await listActiveUsers(library, params.id)
    return users.map(({ userId, fullname }) => ({ id: userId, fullname, href: `${baseUrl}/user/${userId}` }))
  },
})
