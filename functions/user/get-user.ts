import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { knownUser } from '../../shared/library/access/people.ts'
import { User, UserParams, userJson } from './schema.ts'

export const getUser = endpoint({
  route: 'GET /user/{id}',
  summary: 'Read a user, of any company that the caller belongs to',
  description: 'People see those with whom they share a company; everybody else is a 404.',
  access: 'user',
  uses: { table: 'read' },
  params: UserParams,
  returns: User,
  async handle({ params, caller, table }) {
    return userJson(await knownUser(table, new Access(table, caller), params.id))
  },
})
