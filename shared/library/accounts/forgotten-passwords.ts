import { randomUUID } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Mail } from '../../backends/mail/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { networksOf } from '../../network.ts'
import type { Settings } from '../../settings.ts'
import { CATALOGUE } from '../../vocabulary/ids.ts'
import { mailBrand } from '../brands/brand.ts'
import { TooManyAttempts } from '../errors.ts'
import { askForMail, mailJob } from '../mail/job.ts'
import { countInHour } from './hourly-counts.ts'
import { CODE_LIFETIME_SECONDS, onlyCode } from './password-resets.ts'
import { maySignInByPassword } from './password-sign-in.ts'
import { recipientIn, type Unmailed } from './recipient.ts'
import { resetEmail } from './reset-email.ts'
import { findUserByName, foldUsername, isByProvider, isTooLong } from './users.ts'

/** Hourly limits: mails per name, and requests per source network. */
const [PER_NAME, PER_SOURCE] = [5, 20]

/** A request of a user who forgot their password. A job looks up the name, so that the answer takes the same time for every name. */
type ForgottenRecord = Key & {
  /** As it was typed. */
  username: string
  baseUrl: string
  requestId: string
  /** UNIX milliseconds */
  asked: number
  ttl: number
}

const forgottenKey = (id: string): Key => ({ pk: `FORGOTTEN#${id}`, sk: 'FORGOTTEN' })

/**
 * Records that a user forgot their password. Ignored beyond `PER_NAME` requests an hour for the same name.
 * @throws TooManyAttempts beyond `PER_SOURCE` requests an hour from the same network
 */
export async function forgetPassword(
  library: { table: Table; clock: Clock; requestId: string; baseUrl: string },
  username: string,
  address: string,
): Promise<void> {
  const { table, clock, requestId, baseUrl } = library
  const [source] = networksOf(address)
  const ofSource = await countInHour(library, `forgotten from ${source}`)
  if (ofSource.count > PER_SOURCE) throw new TooManyAttempts(ofSource.secondsLeft)
  if (isTooLong(username)) return
  const ofName = await countInHour(library, `forgotten by ${foldUsername(username)}`)
  if (ofName.count > PER_NAME) return
  const id = randomUUID()
  const asked = clock.now()
  const record: ForgottenRecord = { ...forgottenKey(id), username, baseUrl, requestId, asked, ttl: Math.floor(asked / 1000) + 86_400 }
  const by = { kind: 'job', job: mailJob.name, run: id, requestId } as const
  await table.transact({
    request: { put: record },
    // Asked for company 0: only the job looks up the user's company.
    mail: askForMail({ clock, by }, CATALOGUE, { forgotten: id }),
  })
}

/**
 * Mails a link to choose a password, and invalidates earlier codes.
 * @returns why an existing user gets no mail
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailForgotten(
  library: { table: Table; mail: Mail; clock: Clock; settings: Pick<Settings, 'brand'> },
  id: string,
): Promise<Unmailed | undefined> {
  const { table, mail, clock } = library
  const request = await table.get<ForgottenRecord>(forgottenKey(id))
  if (!request) return undefined
  const { username, baseUrl, requestId, asked } = request
  if (clock.now() - asked > CODE_LIFETIME_SECONDS * 1000) return { reason: 'it was asked for too long ago' }
  const user = await findUserByName(library, username)
  if (!user || user.disabled || isByProvider(user) || !(await maySignInByPassword(library, user))) return undefined
  const recipient = recipientIn(user)
  if ('reason' in recipient) return recipient
  const code = await onlyCode(library, user, CODE_LIFETIME_SECONDS)
  const brand = await mailBrand(library, user.companies[0]?.companyId)
  await mail.send(resetEmail({ ...recipient, code, isForApplication: false, baseUrl, brand, requestId }))
  return undefined
}
