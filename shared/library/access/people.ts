import type { TableReader } from '../../backends/table/port.ts'
import { findUser, type UserRecord } from '../accounts/users.ts'
import { Forbidden, NotFound } from '../errors.ts'
import type { Access } from './access.ts'

/** "May this caller know of that company, of that user?" Strangers do not exist to each other. */

/** @throws NotFound unless the caller belongs to the company */
export function requireMember(access: Access, companyId: number): void {
  if (!access.isMember(companyId)) throw new NotFound('company')
}

/** @throws NotFound for who doesn't belong to the company, Forbidden for its other members */
export function requireAdmin(access: Access, companyId: number): void {
  requireMember(access, companyId)
  if (!access.isAdmin(companyId)) throw new Forbidden('Only admins of the company may do this.')
}

/** A user as far as the caller may know them. */
export interface KnownUser {
  user: UserRecord
  /** Those of the user's companies that the caller may look into; the order is the user's. Never empty. */
  companyIds: number[]
}

/** The caller themself, or somebody of their companies, with those they share. @throws NotFound */
export async function knownUser(table: TableReader, access: Access, userId: number): Promise<KnownUser> {
  const { caller } = access
  const user = caller.kind === 'user' && caller.user.userId === userId ? caller.user : await findUser(table, userId)
  const companyIds = (user?.companies ?? []).map(({ companyId }) => companyId).filter((companyId) => access.isMember(companyId))
  if (!user || companyIds.length === 0) throw new NotFound('user')
  return { user, companyIds }
}

/** The caller themself, or somebody of a company that they are admin of, with those companies. @throws NotFound, Forbidden */
export async function supervisedUser(table: TableReader, access: Access, userId: number): Promise<KnownUser> {
  const known = await knownUser(table, access, userId)
  if (isSelf(access, userId)) return known
  const companyIds = known.companyIds.filter((companyId) => access.isAdmin(companyId))
  if (companyIds.length === 0) throw new Forbidden('Only the user themself and admins of their company may do this.')
  return { ...known, companyIds }
}

/**
 * The caller themself, or somebody whose own company, the first of theirs, the caller is admin of: who may change what all companies of
 * the user see. @throws NotFound, Forbidden
 */
export async function changeableUser(table: TableReader, access: Access, userId: number): Promise<UserRecord> {
  const { user } = await knownUser(table, access, userId)
  const [own] = user.companies
  if (!isSelf(access, userId) && !(own && access.isAdmin(own.companyId))) {
    throw new Forbidden('Only the user themself and admins of their own company may do this.')
  }
  return user
}

/** Whether the caller is this user. */
export function isSelf(access: Access, userId: number): boolean {
  return access.caller.kind === 'user' && access.caller.user.userId === userId
}
