import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { withCookies } from '../../shared/http/declaration/results.ts'
import { PROOF_COOKIE, shareCookie } from '../../shared/http/declaration/share-link.ts'
import { MAX_PASSWORD_BYTES } from '../../shared/library/accounts/passwords.ts'
import { unlock } from '../../shared/library/shares/unlock.ts'
import { openShare } from '../../shared/library/shares/visit.ts'
import { secretParam } from './secret-param.ts'
import { visiting } from './visiting.ts'

const SharePassword = z
  .string()
  .min(1)
  .refine((password) => Buffer.byteLength(password.normalize('NFC')) <= MAX_PASSWORD_BYTES, `must be at most ${MAX_PASSWORD_BYTES} bytes`)
  .meta({ maxLength: MAX_PASSWORD_BYTES / 4, examples: ['correct horse battery staple'] })

export const unlockShared = endpoint({
  route: 'POST /s/{secret}/password',
  summary: "Give a share link's password",
  description:
    'The browser gets a cookie for the addresses of this link, which holds until the link has another password. 403 `wrong_password`; after 10 of ' +
    'them for a link and a source in 15 minutes it is 429, failed sign-ins of the source included in its own limit. After 100 wrong ones in a day (UTC), from whatever sources, those that never gave ' +
    'the right one wait some seconds for the answer.',
  access: 'anyone',
  ...visiting,
  params: secretParam,
  body: z.object({ password: SharePassword }).meta({ id: 'SharePassword' }),
  maxBodyBytes: 16 * 1024,
  returns: Empty,
  refuses: ['forbidden', 'not found', 'too many'],
  memoryMb: 1024,
  async handle({ params: { secret }, body: { password }, baseUrl, sourceAddress, ...library }) {
    const { share } = await openShare(library, secret)
    const proof = await unlock(library, share, { secret, password, address: sourceAddress })
    return withCookies({}, shareCookie(PROOF_COOKIE, proof, { baseUrl, secret }))
  },
})
