import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText, Empty, UserIdText } from '../../shared/http/declaration/fields.ts'
import { managedUser, requireAdmin } from '../../shared/library/access/people.ts'
import { leaveCompany } from '../../shared/library/people/departure.ts'

export const removeCompanyUser = endpoint({
  route: 'DELETE /company/{id}/users/{user_id}',
  summary: 'Let a person leave a company; admins only',
  description:
    "Their rights, their places in cliques, their share links and tokens by the company's keys end, and sign-ons at its providers. Sessions go on while " +
    'they belong to another company; who belongs to none is disabled. Files stay. 409 `last_admin` for the last admin who can sign in.',
  access: 'user',
  answeredBy: 'change-people',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CompanyIdText, user_id: UserIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    requireAdmin(library, params.id)
    const { user } = await managedUser(library, params.user_id, params.id)
    await leaveCompany(library, params.id, user.userId)
    return {}
  },
})
