import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { findUser, type UserRecord } from '../accounts/users.ts'
import { Conflict, Forbidden, NotFound } from '../errors.ts'
import type { Access, AuthorizedReading } from './access.ts'

interface Authorized {
  access: Access
}

/* Which companies and users a caller may know of. Members of different companies never see each other. */

/** @throws NotFound unless the caller belongs to the company */
export function requireMember({ access }: Authorized, companyId: CompanyId): void {
  if (!access.isMember(companyId)) throw new NotFound('company')
}

/** @throws NotFound unless the caller belongs to the company, Forbidden for members who aren't admins */
export function requireAdmin({ access }: Authorized, companyId: CompanyId): void {
  requireMember({ access }, companyId)
  if (!access.isAdmin(companyId)) throw new Forbidden('Only admins of the company may do this.')
}

/** A user, with the part of their companies that the caller may see. */
export interface KnownUser {
  user: UserRecord
  /** The user's companies that the caller may see, in the user's order. Never empty. */
  companyIds: CompanyId[]
}

/** The caller, or a user of one of their companies, with the companies that they share. @throws NotFound */
export async function knownUser({ table, access }: AuthorizedReading, userId: UserId): Promise<KnownUser> {
  const { caller } = access
  const user = caller.kind === 'user' && caller.user.userId === userId ? caller.user : await findUser({ table }, userId)
  const companyIds = (user?.companies ?? []).map(({ companyId }) => companyId).filter((companyId) => access.isMember(companyId))
  if (!user || companyIds.length === 0) throw new NotFound('user')
  return { user, companyIds }
}

/** The caller, or a user of a company that the caller is admin of, with those companies. @throws NotFound, Forbidden */
export async function supervisedUser(library: AuthorizedReading, userId: UserId): Promise<KnownUser> {
  const known = await knownUser(library, userId)
  if (isSelf(library, userId)) return known
  const companyIds = known.companyIds.filter((companyId) => library.access.isAdmin(companyId))
  if (companyIds.length === 0) throw new Forbidden('Only the user themself and admins of their company may do this.')
  return { ...known, companyIds }
}

/**
 * The caller, or a user whose own (first) company the caller administers. Only these may change what all of the user's companies see.
 * @throws NotFound, Forbidden
 */
export async function changeableUser(library: AuthorizedReading, userId: UserId): Promise<UserRecord> {
  const { user } = await knownUser(library, userId)
  const [own] = user.companies
  if (!isSelf(library, userId) && !(own && library.access.isAdmin(own.companyId))) {
    throw new Forbidden('Only the user themself and admins of their own company may do this.')
  }
  return user
}

/** A user in a company that the caller administers. */
export interface ManagedUser {
  user: UserRecord
  companyId: CompanyId
}

/**
 * A user of a company that the caller administers.
 * @param wanted the company; by default the first of the user's that the caller administers
 * @throws NotFound, Forbidden
 */
export async function managedUser(library: AuthorizedReading, userId: UserId, wanted?: CompanyId): Promise<ManagedUser> {
  const { user, companyIds } = await knownUser(library, userId)
  if (wanted !== undefined && !companyIds.includes(wanted)) throw new NotFound('user')
  const companyId = companyIds.find((id) => (wanted === undefined || id === wanted) && library.access.isAdmin(id))
  if (companyId === undefined) throw new Forbidden('Only admins of the company may do this.')
  return { user, companyId }
}

/**
 * Requires that the caller may change a user's credentials: their own, or those of a user of a single company. Credentials open all
 * companies of a user.
 * @throws Conflict `other_company`
 */
export function requireOwnUser({ access }: Authorized, { userId, username, companies }: UserRecord): void {
  if (isSelf({ access }, userId) || companies.length <= 1) return
  throw new Conflict(`${username} belongs to a further company, too: this is theirs to change, or the operator's.`, 'other_company')
}

/** Whether the caller is this user. */
export function isSelf({ access }: Authorized, userId: UserId): boolean {
  return access.caller.kind === 'user' && access.caller.user.userId === userId
}
