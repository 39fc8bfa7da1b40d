import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { User, userJson } from './schema.ts'

export const whoami = endpoint({
  route: 'GET /whoami',
  summary: 'Read who the caller is',
  description: 'The user whose token it is.',
  access: 'user',
  uses: { table: 'read' },
  returns: User,
  async handle({ access }) {
    return userJson({ user: access.caller.user, companyIds: access.companyIds })
  },
})
