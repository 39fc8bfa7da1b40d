import type { SignedOn } from '../../backends/openid/port.ts'
import { asciiMailAddress } from '../../vocabulary/mail-address.ts'
import type { ProviderRecord } from '../accounts/providers.ts'
import { addUser } from '../accounts/provision.ts'
import {
  findIdentity,
  type Identity,
  type IdentityRecord,
  identityClaim,
  identityKey,
  MAX_SUBJECT_LENGTH,
  sameIdentity,
} from '../accounts/sign-ons.ts'
import { findUser, isMemberOf, listUsers, MAX_USERNAME_LENGTH, mailAddressOf, type UserRecord, userChange } from '../accounts/users.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Forbidden } from '../errors.ts'
import type { Writing } from '../library.ts'
import { onOneLine } from '../names.ts'

/**
 * The user whom a provider has authenticated: an existing user with this identity, one joined to it by e-mail address, or a new one.
 * @throws Forbidden with the reason
 */
export async function signedOnUser(library: Writing, provider: ProviderRecord, { subject, claims }: SignedOn): Promise<UserRecord> {
  if (!/^[\x20-\x7e]+$/.test(subject) || subject.length > MAX_SUBJECT_LENGTH) {
    throw new Forbidden('The name that the provider has for you is not a valid one.', 'sign_on_refused')
  }
  const email = verifiedEmail(claims)
  requireDomain(provider, email)
  const identity = { providerId: provider.providerId, subject }
  const user = await retryOnConflict(async () => {
    const known = await knownUser(library, identity)
    return (
      known ?? (await joinedUser(library, provider, identity, email)) ?? (await madeUser(library, provider, identity, { claims, email }))
    )
  })
  if (user.disabled) throw new Forbidden('Your account is disabled.', 'user_disabled')
  if (!isMemberOf(user, provider.companyId)) throw new Forbidden('You do not belong to this company.', 'unknown_person')
  return user
}

/** The e-mail address, if the provider has verified it. */
function verifiedEmail({ email, email_verified }: SignedOn['claims']): string | undefined {
  return email_verified === true && typeof email === 'string' ? asciiMailAddress(email) : undefined
}

/** @throws Forbidden */
function requireDomain({ domains }: ProviderRecord, email: string | undefined): void {
  if (domains.length === 0) return
  if (email === undefined) throw unverified()
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1))) {
    throw new Forbidden('People with e-mail addresses of your domain may not sign on here.', 'domain_not_allowed')
  }
}

const unverified = () => new Forbidden('The provider has not verified your e-mail address.', 'email_not_verified')

/** The user of an identity. Removes an identity that a deleted user left behind. */
async function knownUser(library: Writing, identity: Identity): Promise<UserRecord | undefined> {
  const record = await findIdentity(library, identity)
  if (!record) return undefined
  const user = await findUser(library, record.userId)
  if (user?.identities?.some(sameIdentity(identity))) return user
  await held(library.table.delete(identityKey(identity), { userId: { equals: record.userId } }))
  return undefined
}

/** Adds the identity to the only user of the company with this e-mail address. @throws Forbidden */
async function joinedUser(
  library: Writing,
  { companyId, joinByEmail }: ProviderRecord,
  identity: Identity,
  email: string | undefined,
): Promise<UserRecord | undefined> {
  if (!joinByEmail || email === undefined) return undefined
  const wanted = email.toLowerCase()
  const [user, ...others] = (await listUsers(library, companyId)).filter((each) => mailAddressOf(each)?.toLowerCase() === wanted)
  if (!user) return undefined
  if (others.length > 0) throw new Forbidden('Several users here have your e-mail address.', 'email_ambiguous')
  if (user.disabled) throw new Forbidden('Your account is disabled.', 'user_disabled')
  // A company's provider must not give access to another company.
  if (user.companies.length > 1) throw new Forbidden('Your account belongs to other companies, too.', 'account_of_others')
  const { identities = [] } = user
  // An address may be reassigned to another person after its owner has left.
  if (identities.some(({ providerId }) => providerId === identity.providerId)) {
    throw new Forbidden('Somebody else signs on with your e-mail address.', 'email_taken')
  }
  const set = { identities: [...identities, identity] }
  await library.table.transact({
    user: userChange(library, user, set),
    identity: identityClaim(identity, user.userId, library.clock.now()),
  })
  return { ...user, ...set, revision: user.revision + 1 }
}

/** Creates a user without rights and password. @throws Forbidden */
async function madeUser(
  library: Writing,
  provider: ProviderRecord,
  identity: Identity,
  { claims, email }: { claims: SignedOn['claims']; email: string | undefined },
): Promise<UserRecord> {
  const { companyId, createUsers, joinByEmail, usernameClaim } = provider
  if (!createUsers) {
    throw joinByEmail && email === undefined ? unverified() : new Forbidden('You have no account here.', 'unknown_person')
  }
  const named = usernameClaim === 'email' ? email : claims[usernameClaim]
  if (usernameClaim === 'email' && named === undefined) throw unverified()
  const username = typeof named === 'string' ? onOneLine(named) : ''
  if (username === '' || username.length > MAX_USERNAME_LENGTH) {
    throw new Forbidden('The provider tells no username of you.', 'username_missing')
  }
  const name = typeof claims.name === 'string' ? onOneLine(claims.name) : ''
  const fullname = name === '' || name.length > MAX_USERNAME_LENGTH ? username : name
  const input = { companyId, username, fullname, ...(email !== undefined && { email }), identities: [identity], admin: false }
  const claim = (userId: IdentityRecord['userId']) => ({ identity: identityClaim(identity, userId, library.clock.now()) })
  return addUser(library, input, claim).catch(async (error: unknown) => {
    if (!(error instanceof Conflict && error.code === 'username_taken')) throw error
    // A concurrent sign-on of the same person may have created the user.
    const made = await knownUser(library, identity)
    if (made) return made
    throw new Forbidden('Somebody else has your username here.', 'username_taken')
  })
}
