import * as z from 'zod'
import { AnswerCompanyId, AnswerIsoTime, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import type { Session as BrowserSession } from '../../shared/library/accounts/sessions.ts'
import type { UserRecord } from '../../shared/library/accounts/users.ts'
import { isoTime } from '../../shared/library/time.ts'

export const Session = z
  .object({
    user_id: AnswerUserId,
    username: z.string().meta({ examples: ['anna@example.com'] }),
    fullname: z.string().meta({ examples: ['Anna Berg'] }),
    company_ids: z.array(AnswerCompanyId).describe("the user's own company first"),
    csrf: z
      .string()
      .describe('what requests other than GET repeat in the header `X-Csrf`')
      .meta({ examples: ['Qm0b7sJb3rX1y9cV5kT8wLhPAuY3zQx0nGZ6nJ0o0Qe'] }),
    expires: AnswerIsoTime.describe('end of the session: after 8 hours without use, after 7 days in any case'),
  })
  .meta({ id: 'Session' })

export function sessionJson(
  { userId, username, fullname, companies }: UserRecord,
  { csrf, expires }: BrowserSession,
): z.input<typeof Session> {
  const company_ids = companies.map(({ companyId }) => companyId)
  return { user_id: userId, username, fullname, company_ids, csrf, expires: isoTime(expires) }
}
