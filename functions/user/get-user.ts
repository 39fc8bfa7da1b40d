import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { knownUser } from '../../shared/library/access/people.ts'
import { User, userJson } from './schema.ts'

export const getUser = endpoint({
  route: 'GET /user/{id}',
  summary: 'Read a user, of any company that the caller belongs to',
  description: 'People see those with whom they share a company; everybody else is a 404.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: UserIdText },
  returns: User,
  async handle({ params, ...library }) {
    return userJson(await knownUser(library, params.id))
  },
})
