import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, TableReader } from '../../backends/table/port.ts'
import { Access } from '../access/access.ts'
import type { Opened, UserCaller } from '../access/caller.ts'
import { findUser, type UserRecord } from '../accounts/users.ts'
import { NotFound } from '../errors.ts'
import { placesOfMany } from '../media/find.ts'
import { findShare, noSuchLink, passwordRequired, type ShareRecord, type ShareSecret, secretHashOf, secretKey } from './share.ts'

/** A visitor of a link: acts as the link's maker, with rights on what the link opens alone. */
export type Visitor = UserCaller & { opened: Opened }

/** A link that is open. */
export interface Visit {
  share: ShareRecord
  access: Access<Visitor>
}

interface Opening {
  table: TableReader
  clock: Clock
}

/** Files whose rights are checked at a time, until one is found that the link still opens. */
const LOOKED_AT = 50

/**
 * Opens a link by the secret in its address. Reads consistently: whatever ends a link takes effect with the next request.
 * @throws NotFound, the same for links that are unknown, removed or expired, whose maker is disabled or may READ none of it, or whose folder is
 * deleted or trashed
 */
export async function openShare(library: Opening, secret: string): Promise<Visit> {
  const share = await shareOf(library, secret)
  const visit = share && (await openedBy(library, share))
  if (!visit) throw noSuchLink()
  return visit
}

async function shareOf(library: Opening, secret: string): Promise<ShareRecord | undefined> {
  if (!/^[\w-]{43}$/.test(secret)) return undefined
  const secretHash = secretHashOf(secret)
  const known = await library.table.get<Key & ShareSecret>(secretKey(secretHash))
  const share = known && (await findShare(library, known.shareId))
  return share?.secretHash === secretHash ? share : undefined
}

/** The current access of a link's visitors. @throws NotFound where the link has ended, or has another address */
export async function accessBy(library: Opening, link: { shareId: string; secretHash?: string | undefined }): Promise<Access<Visitor>> {
  const share = await findShare(library, link.shareId)
  const visit = share?.secretHash === link.secretHash && share && (await openedBy(library, share))
  if (!visit) throw noSuchLink()
  return visit.access
}

/** The current visit by a link. @returns undefined where the link has ended */
export async function openedBy(library: Opening, share: ShareRecord): Promise<Visit | undefined> {
  if (share.expires !== undefined && share.expires <= library.clock.now()) return undefined
  const user = await findUser(library, share.userId)
  if (!user || user.disabled || !user.companies.some(({ companyId }) => companyId === share.companyId)) return undefined
  const visit = { share, access: new Access(library.table, visitorOf(share, user)) }
  return (await givesSomething(library, visit)) ? visit : undefined
}

function visitorOf(share: ShareRecord, user: UserRecord): Visitor {
  const { shareId, secretHash, expires, companyId, folderId, mediaIds, upload, download } = share
  const shared = folderId === undefined ? { mediaIds: new Set(mediaIds) } : { folderId }
  const allowed = { takesUploads: upload, givesPreviews: download === 'preview' }
  return { kind: 'user', user, opened: { shareId, secretHash, expires, companyId, ...shared, ...allowed } }
}

async function givesSomething(library: Opening, { share: { folderId, mediaIds = [] }, access }: Visit): Promise<boolean> {
  if (folderId !== undefined) return access.has('READ', folderId).catch(unlessFound)
  for (let from = 0; from < mediaIds.length; from += LOOKED_AT) {
    const places = await placesOfMany(library, mediaIds.slice(from, from + LOOKED_AT))
    for (const media of places.values()) if (await access.hasOnMedia('READ', media)) return true
  }
  return false
}

function unlessFound(error: unknown): false {
  if (error instanceof NotFound) return false
  throw error
}

/** Proof in a visitor's cookie that they gave the password. Valid for this secret and password alone. The table's contents can't forge it. */
export function proofOf({ shareId, passwordHash }: ShareRecord, secret: string): string {
  return createHmac('sha256', secret).update(`${shareId} ${passwordHash}`).digest('base64url')
}

/** @throws Forbidden `password_required` where the link has a password and the proof is missing or wrong */
export function requireProof(share: ShareRecord, secret: string, proof: string | undefined): void {
  if (share.passwordHash === undefined) return
  const [expected, given] = [Buffer.from(proofOf(share, secret)), Buffer.from(proof ?? '')]
  if (expected.length === given.length && timingSafeEqual(expected, given)) return
  throw passwordRequired()
}
