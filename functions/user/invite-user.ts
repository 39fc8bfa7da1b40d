import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { inviteAgain } from '../../shared/library/people/invitations.ts'
import { PasswordUrl } from '../company/person-schema.ts'

export const inviteUser = endpoint({
  route: 'POST /user/{id}/invite',
  summary: 'Send a person an address for choosing a password; admins of their company only',
  description:
    'It works once, and for a week, and earlier ones end. A password that stands stays good until the new one is chosen. Where mail can go nowhere the ' +
    'answer has the address. 409 `by_provider` for who signs on at a provider, 409 `other_company` for who belongs to a further company, too, 409 ' +
    '`user_disabled` for who is disabled.',
  access: 'user',
  answeredBy: 'change-people',
  uses: { table: 'write' },
  idempotent: true,
  shownOnce: ['password_url'],
  params: { id: UserIdText },
  returns: z.object({ password_url: PasswordUrl.optional().describe('where no mail was sent') }).meta({ id: 'Invitation' }),
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    return { password_url: await inviteAgain(library, params.id) }
  },
})
