import type { Clock } from '../../backends/clock/port.ts'
import type { Mail } from '../../backends/mail/port.ts'
import type { Operations, Table } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { managedUser, requireAdmin, requireOwnUser } from '../access/people.ts'
import { findCompany } from '../accounts/companies.ts'
import { passwordAddress } from '../accounts/password-address.ts'
import { invalidateCodes, onlyCode } from '../accounts/password-resets.ts'
import { byProvider, maySignInByPassword } from '../accounts/password-sign-in.ts'
import { recipientIn, type Unmailed } from '../accounts/recipient.ts'
import { findUser, isByProvider, isMemberOf, mailAddressOf, type UserRecord } from '../accounts/users.ts'
import { mailBrand } from '../brands/brand.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict } from '../errors.ts'
import { renderEmail } from '../mail/email.ts'
import { askForMail, type Invitation } from '../mail/job.ts'
import { admitUser, type Newcomer } from './admit.ts'

/** Lifetime of an invitation's address, in seconds. */
const INVITATION_SECONDS = 7 * 86_400

interface Inviting extends AuthorizedWriting {
  /** Address of the API, without trailing slash. */
  baseUrl: string
  requestId: string
}

/**
 * Adds a person to a company, with an address for choosing a password: mailed if `email` is given, else in the answer. There is no address
 * where members sign in only at providers.
 * @returns the user, and the address if it isn't mailed
 * @throws NotFound, Forbidden, Conflict `user_exists`
 */
export async function invitePerson(library: Inviting, newcomer: Newcomer): Promise<{ user: UserRecord; passwordUrl?: string | undefined }> {
  const { companyId, email, admin } = newcomer
  requireAdmin(library, companyId)
  const mayChoose = await maySignInByPassword(library, { companies: [{ companyId, admin }] })
  const isMailed = mayChoose && email !== undefined
  const invitation = (userId: UserId): Operations => (isMailed ? { mail: askForInvitation(library, companyId, userId) } : {})
  const user = await admitUser(library, newcomer, invitation)
  if (!mayChoose || isMailed) return { user }
  return { user, passwordUrl: passwordAddress(library.baseUrl, await onlyCode(library, user, INVITATION_SECONDS)) }
}

/**
 * Sends an invitation again, or returns the address if the user has no e-mail address. Earlier addresses end at once. An existing password
 * works until the new one is chosen.
 * @returns the address if it isn't mailed
 * @throws NotFound, Forbidden, Conflict `other_company`, `by_provider`
 */
export async function inviteAgain(library: Inviting, userId: UserId, wanted?: CompanyId): Promise<string | undefined> {
  const { companyId, user } = await managedUser(library, userId, wanted)
  requireOwnUser(library, user)
  if (isByProvider(user) || !(await maySignInByPassword(library, user))) throw byProvider()
  if (user.disabled) throw new Conflict(`${user.username} is disabled: enable them first.`, 'user_disabled')
  if (mailAddressOf(user) === undefined) return passwordAddress(library.baseUrl, await onlyCode(library, user, INVITATION_SECONDS))
  await retryOnConflict(async () => {
    await library.table.transact({ ...(await invalidateCodes(library, userId)), mail: askForInvitation(library, companyId, userId) })
  })
  return undefined
}

const askForInvitation = (library: Inviting, companyId: CompanyId, invitation: UserId) => {
  const { baseUrl, requestId } = library
  return askForMail(library, companyId, { invitation, baseUrl, requestId })
}

/**
 * Mails an invitation, unless its user was disabled or left meanwhile. Makes the code only now, so that the table never holds it in plain
 * text.
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailInvitation(
  library: { table: Table; mail: Mail; clock: Clock; settings: Pick<Settings, 'brand'> },
  companyId: CompanyId,
  { invitation: userId, baseUrl, requestId }: Invitation,
): Promise<Unmailed | undefined> {
  const [user, company] = await Promise.all([findUser(library, userId), findCompany(library, companyId)])
  if (!user || user.disabled || !company || !isMemberOf(user, companyId) || isByProvider(user)) return undefined
  const recipient = recipientIn(user)
  if ('reason' in recipient) return recipient
  const { to, fullname } = recipient
  const brand = await mailBrand(library, companyId)
  const code = await onlyCode(library, user, INVITATION_SECONDS)
  const paragraphs = [
    `Hello ${fullname},`,
    `you have been invited to the media library of ${company.name}. You sign in as “${user.username}”. Choose your password here, within a week:`,
    { text: 'Choose a password', link: passwordAddress(baseUrl, code) },
    'The link works once. If you expected no invitation, nothing needs to be done.',
  ]
  await library.mail.send(renderEmail({ to, subject: `Your invitation to ${company.name}`, paragraphs, brand, requestId }))
  return undefined
}
