import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Session, sessionJson } from './session-schema.ts'

export const getSession = endpoint({
  route: 'GET /session',
  summary: 'Read the session of this browser',
  description: 'What `POST /session` answered, with `expires` as it is now. 401 without a session.',
  access: 'session',
  uses: { table: 'read' },
  returns: Session,
  async handle({ access }) {
    const { user, session } = access.caller
    return sessionJson(user, session)
  },
})
