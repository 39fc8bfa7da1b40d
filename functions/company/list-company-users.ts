import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { flag } from '../../shared/http/declaration/query.ts'
import { noStore } from '../../shared/http/declaration/results.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { listPeople } from '../../shared/library/accounts/people.ts'
import { listActiveUsers } from '../../shared/library/accounts/users.ts'
import { ListedPerson, personJson } from './person-schema.ts'

export const listCompanyUsers = endpoint({
  route: 'GET /company/{id}/users',
  summary: 'List the users of a company, by name',
  description:
    'For members of the company. Disabled users are left out. With `details` admins get all of each entry, also of disabled users; others get the list ' +
    'as without.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: CompanyIdText },
  query: z.object({ details: flag().optional().describe('Who they are and when they were here, for admins.') }),
  returns: z.array(ListedPerson),
  noStore: 'at times',
  async handle({ params, query, baseUrl, ...library }) {
    requireMember(library, params.id)
    if (query.details && library.access.isAdmin(params.id)) {
      return noStore((await listPeople(library, params.id)).map((person) => personJson(person, baseUrl)))
    }
    const users = await listActiveUsers(library, params.id)
    return users.map(({ userId, fullname }) => ({ id: userId, fullname, href: `${baseUrl}/user/${userId}` }))
  },
})
