import { ConditionFailed, type Key, type Operation, type Operations } from '../../backends/table/port.ts'
import { type CliqueId, type CompanyId, NOBODY, type UserId } from '../../vocabulary/ids.ts'
import { asciiMailAddress } from '../../vocabulary/mail-address.ts'
import type { Actor } from '../actor.ts'
import { byName } from '../by-name.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound } from '../errors.ts'
import { withId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { hashPassword } from './passwords.ts'
import type { Identity } from './sign-ons.ts'

/** A user's place in a company. */
export type Membership = {
  companyId: CompanyId
  /** Company admins manage cliques and have every right on the company's folders. */
  admin: boolean
}

export type UserRecord = Key & {
  userId: UserId
  /** As typed at creation, NFC; unique regardless of case. */
  username: string
  fullname: string
  /** E-mail address. Absent if the username is one, or none is known. */
  email?: string
  /** Absent for users who sign on at a provider only. */
  passwordHash?: string
  /** Identities at providers. Absent where there are none. */
  identities?: Identity[]
  /** The first is the user's own company, and the default. */
  companies: Membership[]
  /** Cliques the user is a member of. */
  cliques: CliqueId[]
  /** Version of the stored profile image (profile-images.ts); absent for users without one. */
  profileImage?: string
  /** How often the user has left a company. Tokens from before, by keys of that company, are invalid. */
  departures?: Record<CompanyId, number>
  /** Tokens carry the epoch in which they were issued. A new epoch invalidates them. */
  tokenEpoch: number
  disabled: boolean
  /** UNIX milliseconds */
  created: number
  /** Counts changes, for optimistic locking. */
  revision: number
  /** Actor of the last change. */
  by?: Actor
}

/** A user's e-mail address, with its domain in ASCII form: the one that was set, else the username if it is one. */
export function mailAddressOf({ email, username }: Pick<UserRecord, 'email' | 'username'>): string | undefined {
  return asciiMailAddress(email ?? username)
}

/** Whether the user signs on at a provider, and has no password. */
export function isByProvider({ passwordHash, identities = [] }: Pick<UserRecord, 'passwordHash' | 'identities'>): boolean {
  return passwordHash === undefined && identities.length > 0
}

/** Whether the user has not chosen a password yet, and signs on at no provider either. */
export function isInvited({ passwordHash, identities = [] }: Pick<UserRecord, 'passwordHash' | 'identities'>): boolean {
  return passwordHash === undefined && identities.length === 0
}

export function isMemberOf(user: Pick<UserRecord, 'companies'>, companyId: CompanyId): boolean {
  return user.companies.some((membership) => membership.companyId === companyId)
}

export function isAdminOf(user: Pick<UserRecord, 'companies'>, companyId: CompanyId): boolean {
  return user.companies.some((membership) => membership.companyId === companyId && membership.admin)
}

export const userKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'USER' })
export const usernameKey = (username: string): Key => ({ pk: `USERNAME#${foldUsername(username)}`, sk: 'USERNAME' })
export const listingKey = (companyId: CompanyId, userId: UserId): Key => ({ pk: `COMPANY#${companyId}`, sk: `USER#${userId}` })

/** Longest username, in characters. */
export const MAX_USERNAME_LENGTH = 255

/** Whether a name is longer than any username. A pair of surrogates is one character. */
export function isTooLong(username: string): boolean {
  return username.length > 2 * MAX_USERNAME_LENGTH || [...username].length > MAX_USERNAME_LENGTH
}

/** How usernames are compared: NFC, without case. */
export function foldUsername(username: string): string {
  return username.trim().normalize('NFC').toLowerCase()
}

/** Input of a new user. */
export interface NewUser {
  companyId: CompanyId
  username: string
  fullname: string
  /** E-mail address; required unless the username is one. */
  email?: string | undefined
  /** Without one the user signs on at a provider only. */
  password?: string
  identities?: Identity[]
  admin: boolean
  /** They can't sign in. */
  disabled?: boolean
  /** A wanted id; by default a fresh one. */
  userId?: UserId
}

/**
 * @param also further operations of the transaction
 * @throws Conflict when the name or the wanted id is taken
 */
export async function createUser(
  { table, clock, by }: Writing,
  input: NewUser,
  also: (userId: UserId) => Operations = () => ({}),
): Promise<UserRecord> {
  const { companyId, admin, email, identities, disabled = false } = input
  const username = input.username.trim().normalize('NFC')
  const passwordHash = input.password === undefined ? undefined : await hashPassword(input.password)
  return withId(input.userId, 'user', async (userId: UserId) => {
    const record: UserRecord = {
      ...userKey(userId),
      userId,
      username,
      fullname: input.fullname.trim().normalize('NFC'),
      ...(email === undefined ? {} : { email }),
      ...(passwordHash !== undefined && { passwordHash }),
      ...(identities && { identities }),
      companies: [{ companyId, admin }],
      cliques: [],
      // Higher than the epochs of a deleted user with the same id, whose tokens so stay invalid.
      tokenEpoch: clock.now(),
      disabled,
      created: clock.now(),
      revision: 1,
      by,
    }
    const taken = new Conflict(`The username ${username} is taken.`, 'username_taken')
    if (await table.get(usernameKey(username))) throw taken
    const operations = {
      claim: { put: record, if: { pk: { exists: false } } },
      username: { put: { ...usernameKey(username), userId }, if: { pk: { exists: false } } },
      listing: { put: { ...listingKey(companyId, userId), userId } },
      ...also(userId),
    }
    await table.transact(operations).catch((error: unknown) => {
      throw error instanceof ConditionFailed && error.failed('username') ? taken : error
    })
    return record
  })
}

export async function findUser({ table }: Reading, userId: UserId): Promise<UserRecord | undefined> {
  return table.get<UserRecord>(userKey(userId))
}

export async function findUserByName({ table }: Reading, username: string): Promise<UserRecord | undefined> {
  if (!foldUsername(username) || isTooLong(username)) return undefined
  const claim = await table.get<Key & { userId: UserId }>(usernameKey(username))
  // An unknown name takes as many reads as a known one.
  return findUser({ table }, claim?.userId ?? NOBODY)
}

/** The users of a company, in no particular order. */
export async function listUsers({ table }: Reading, companyId: CompanyId): Promise<UserRecord[]> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: 'USER#' }, consistent: true }
  const listed = await Array.fromAsync(everyItem<Key & { userId: UserId }>(table, query))
  return table.getMany<UserRecord>(listed.map((item) => userKey(item.userId)))
}

/** The users of a company who aren't disabled, by name. */
export async function listActiveUsers(library: Reading, companyId: CompanyId): Promise<UserRecord[]> {
  const users = (await listUsers(library, companyId)).filter(({ disabled }) => !disabled)
  return users.sort(
    byName(
      ({ fullname }) => fullname,
      ({ userId }) => userId,
    ),
  )
}

/** The admins of a company who aren't disabled, by name. */
export async function listActiveAdmins(library: Reading, companyId: CompanyId): Promise<UserRecord[]> {
  return (await listActiveUsers(library, companyId)).filter((user) => isAdminOf(user, companyId))
}

/** The operation that changes a user. Fails when the user has changed since the record was read. */
export function userChange(
  { by }: Pick<Writing, 'by'>,
  { userId, revision }: UserRecord,
  set: Partial<UserRecord>,
  remove: readonly (keyof UserRecord)[] = [],
): Operation {
  const changes = { set: { ...set, revision: revision + 1, by }, ...(remove.length > 0 && { remove }) }
  return { update: userKey(userId), changes, if: { revision: { equals: revision } } }
}

/**
 * Changes a user by a function of the current record.
 * @param also further operations of the transaction
 * @throws NotFound
 */
async function changeUser(
  library: Writing,
  userId: UserId,
  change: (user: UserRecord) => Partial<UserRecord>,
  also: Operations = {},
): Promise<UserRecord> {
  return retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user) throw new NotFound('user')
    const set = change(user)
    await library.table.transact({ user: userChange(library, user, set), ...also })
    return { ...user, ...set, revision: user.revision + 1 }
  })
}

/** Sets a new password. Invalidates every token of the user. */
export async function setPassword(library: Writing, userId: UserId, password: string): Promise<UserRecord> {
  const passwordHash = await hashPassword(password)
  return changeUser(library, userId, (user) => ({ passwordHash, tokenEpoch: user.tokenEpoch + 1 }))
}

/** Ends all tokens and sessions of a user, and codes for a new password. */
export async function endTokens(library: Writing, userId: UserId): Promise<void> {
  await changeUser(library, userId, ({ tokenEpoch }) => ({ tokenEpoch: tokenEpoch + 1 }))
}

export async function setEmail(library: Writing, userId: UserId, email: string): Promise<UserRecord> {
  return changeUser(library, userId, () => ({ email }))
}

/** Sets the version of the shown profile image. @returns the replaced version, if any */
export async function setProfileImage(library: Writing, userId: UserId, version: string): Promise<string | undefined> {
  let replaced: string | undefined
  await changeUser(library, userId, ({ profileImage }) => {
    // The retry of a write whose answer was lost finds its own version.
    if (profileImage !== version) replaced = profileImage
    return { profileImage: version }
  })
  return replaced
}

/** Lets a disabled user sign in again. Their former tokens stay invalid. */
export async function enableUser(library: Writing, userId: UserId): Promise<UserRecord> {
  return changeUser(library, userId, () => ({ disabled: false }))
}

/** Adds a user to a company, or makes them its admin or an ordinary member. Updates the company's list of members. */
export async function setMembership(library: Writing, userId: UserId, membership: Membership): Promise<UserRecord> {
  const { companyId } = membership
  const change = ({ companies }: UserRecord) => ({
    companies: companies.some((known) => known.companyId === companyId)
      ? companies.map((known) => (known.companyId === companyId ? membership : known))
      : [...companies, membership],
  })
  return changeUser(library, userId, change, { listing: { put: { ...listingKey(companyId, userId), userId } } })
}
