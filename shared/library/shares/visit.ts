import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, TableReader } from '../../backends/table/port.ts'
import { Access } from '../access/access.ts'
import type { Opened, UserCaller } from '../access/caller.ts'
import { findUser, type UserRecord } from '../accounts/users.ts'
import { NotFound } from '../errors.ts'
import { placesOfMany } from '../media/find.ts'
import { findShare, noSuchLink, passwordRequired, type ShareRecord, type ShareSecret, secretHashOf, secretKey } from './share.ts'

/** Somebody who came by a link: the link's maker, with no right on anything but what it opens. */
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

/** Files whose rights are asked for at a time, to see whether any is left. */
const LOOKED_AT = 50

/**
 * Opens a link by the secret in its address. Everything is read consistently: whatever ends it does so with the next request.
 * @throws NotFound, the same for one that is unknown, removed or expired, whose maker may use the library no more or READ nothing of it, and
 *   whose folder is gone or trashed
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

/** What whoever has come by a link may do now. @throws NotFound where it gives nothing any more */
export async function accessBy(library: Opening, shareId: string): Promise<Access<Visitor>> {
  const share = await findShare(library, shareId)
  const visit = share && (await openedBy(library, share))
  if (!visit) throw noSuchLink()
  return visit.access
}

/** A link as it is open now, for whoever has come by it. @returns undefined where it gives nothing any more */
export async function openedBy(library: Opening, share: ShareRecord): Promise<Visit | undefined> {
  if (share.expires !== undefined && share.expires <= library.clock.now()) return undefined
  const user = await findUser(library, share.userId)
  if (!user || user.disabled || !user.companies.some(({ companyId }) => companyId === share.companyId)) return undefined
  const visit = { share, access: new Access(library.table, visitorOf(share, user)) }
  return (await givesSomething(library, visit)) ? visit : undefined
}

function visitorOf({ shareId, companyId, folderId, mediaIds, upload, download }: ShareRecord, user: UserRecord): Visitor {
  const shared = folderId === undefined ? { mediaIds: new Set(mediaIds) } : { folderId }
  return { kind: 'user', user, opened: { shareId, companyId, ...shared, takesUploads: upload, givesPreviews: download === 'preview' } }
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

/**
 * What a browser shows that gave the link's password. It holds for this secret and this password alone, and nobody can make it of what the table
 * holds.
 */
export function proofOf({ shareId, passwordHash }: ShareRecord, secret: string): string {
  return createHmac('sha256', secret).update(`${shareId} ${passwordHash}`).digest('base64url')
}

/** @throws Forbidden `password_required` where the link has a password, and this is no proof of it */
export function requireProof(share: ShareRecord, secret: string, proof: string | undefined): void {
  if (share.passwordHash === undefined) return
  const [expected, given] = [Buffer.from(proofOf(share, secret)), Buffer.from(proof ?? '')]
  if (expected.length === given.length && timingSafeEqual(expected, given)) return
  throw passwordRequired()
}
