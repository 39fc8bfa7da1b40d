import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { CompanyId, FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import { Access, type AuthorizedReading, type AuthorizedWriting } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { decryptApiSecret, encryptApiSecret } from '../accounts/api-secrets.ts'
import { inTurn } from '../accounts/hashing-turns.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { findUser, type UserRecord } from '../accounts/users.ts'
import type { UserActor } from '../actor.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../errors.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import { everyItem } from '../pages.ts'
import { isCdnFolder } from '../tree/system-folders.ts'
import { trashOwner } from '../tree/tree.ts'
import { askForShareExpiry, deleteShare } from './removal.ts'
import {
  companySharesKey,
  countsKey,
  findShare,
  type ListedShare,
  listingKey,
  type ShareCounts,
  type ShareDownload,
  type ShareRecord,
  type ShareSecret,
  secretHashOf,
  secretKey,
  secretName,
  shareKey,
  uploadsEnd,
  userSharesPrefix,
} from './share.ts'

/** Most links that a user has in a company. */
const MOST_SHARES = 1_000

interface Managing extends AuthorizedWriting {
  access: Access<UserCaller>
  by: UserActor
  /** The caller's network address: hashing takes turns by address. */
  sourceAddress: string
}

/** The key that encrypts the secrets of links. */
interface Sealing {
  apiSecretsKey: Secrets<'apiSecretsKey'>
}

/** A link with its usage counts. */
export interface CountedShare {
  share: ShareRecord
  counts: Pick<ShareCounts, 'visits' | 'downloads' | 'uploads'>
}

/** What is shared: exactly one of the two. */
export interface Shared {
  folderId?: FolderId | undefined
  /** Each once. */
  mediaIds?: readonly MediaId[] | undefined
}

/** Terms of a link. In a change absent terms stay, and null removes one. */
export interface ShareTerms {
  /** UNIX milliseconds */
  expires?: number | null | undefined
  password?: string | null | undefined
  download?: ShareDownload | undefined
  upload?: boolean | undefined
  title?: string | null | undefined
  message?: string | null | undefined
}

/**
 * Creates a link to a folder or files that the caller may READ. A link for uploads needs UPLOAD on the folder.
 * @returns the link with its secret: 32 random bytes in base64url
 * @throws NotFound, Forbidden also for read-only pointers and in trashcans, Invalid, Conflict when the caller has too many links
 */
export async function createShare(
  library: Managing & Sealing,
  { folderId, mediaIds }: Shared,
  terms: ShareTerms,
): Promise<CountedShare & { secret: string }> {
  const { table, access, clock, by } = library
  const { userId } = access.caller.user
  const companyId = folderId === undefined ? await companyOfFiles(library, mediaIds ?? []) : await companyOfFolder(library, folderId)
  if (terms.upload) await requireUploads(access, folderId)
  await requireRoom(library, companyId, userId)
  const shareId = randomBytes(16).toString('base64url')
  const secret = newSecret()
  const share: ShareRecord = {
    ...shareKey(shareId),
    ...{ shareId, companyId, userId, title: null, message: null, download: 'none', upload: false },
    ...(folderId === undefined ? { mediaIds: [...mediaIds!] } : { folderId }),
    ...(await applied(library, terms)).set,
    ...{ secretHash: secretHashOf(secret), encryptedSecret: await encryptApiSecret(library, secretName(shareId), secret) },
    ...{ created: clock.now(), revision: 1, by },
  }
  const counts = { visits: 0, downloads: 0, uploads: 0, bytes: 0 }
  await table.transact({
    share: { put: share },
    counts: { put: { ...countsKey(shareId), shareId, companyId, userId, ...counts } satisfies ShareCounts },
    secret: { put: { ...secretKey(share.secretHash), shareId } satisfies ShareSecret },
    listing: { put: { ...listingKey(share), shareId } satisfies ListedShare },
    ...askForShareExpiry(library, share),
  })
  return { share, counts, secret }
}

/** The caller's own links, and all links of companies that they are admin of, newest first. */
export async function listShares(library: AuthorizedReading & { access: Access<UserCaller> }): Promise<CountedShare[]> {
  const { access } = library
  const lists = access.companyIds.map((companyId) =>
    sharesOfCompany(library, companyId, access.isAdmin(companyId) ? undefined : access.caller.user.userId),
  )
  return (await Promise.all(lists)).flat().sort((a, b) => b.share.created - a.share.created)
}

/** Links of a company or of one of its users, unordered. Checks no rights. */
export async function sharesOfCompany({ table }: Reading, companyId: CompanyId, userId?: UserId): Promise<CountedShare[]> {
  const sk = { beginsWith: userId === undefined ? '' : userSharesPrefix(userId) }
  const listed = await Array.fromAsync(
    everyItem<ListedShare>(table, { pk: companySharesKey(companyId), ...(userId !== undefined && { sk }), consistent: true }),
  )
  const [shares, counts] = await Promise.all([
    table.getMany<ShareRecord>(listed.map(({ shareId }) => shareKey(shareId))),
    table.getMany<ShareCounts>(listed.map(({ shareId }) => countsKey(shareId))),
  ])
  const byId = new Map(counts.map((each) => [each.shareId, each]))
  return shares.flatMap((share) => {
    const known = byId.get(share.shareId)
    return known ? [{ share, counts: known }] : []
  })
}

/** A link of the caller's own, or of a company that they are admin of. @throws NotFound */
export async function getShare(library: AuthorizedReading & { access: Access<UserCaller> }, shareId: string): Promise<CountedShare> {
  const share = await ownShare(library, shareId)
  const counts = await library.table.get<ShareCounts>(countsKey(shareId))
  if (!counts) throw new NotFound('share')
  return { share, counts }
}

/** The secret of a link, for its maker alone. @returns undefined for others */
export async function secretForMaker(
  library: Sealing & { access: Access<UserCaller> },
  { shareId, userId, encryptedSecret }: ShareRecord,
): Promise<string | undefined> {
  if (userId !== library.access.caller.user.userId) return undefined
  return decryptApiSecret(library, secretName(shareId), encryptedSecret)
}

/** Changes a link. A new password ends visits that began with the old one. One that takes no uploads any more ends those that are open. @throws NotFound, Forbidden, Invalid */
export async function changeShare(library: Managing, shareId: string, terms: ShareTerms): Promise<CountedShare> {
  const { set, remove } = await applied(library, terms)
  await retryOnConflict(async () => {
    const share = await ownShare(library, shareId)
    if (terms.upload) await requireUploads(await accessOfMaker(library, share), share.folderId)
    const changes = { set: { ...set, revision: share.revision + 1, by: library.by }, remove }
    const ends = terms.upload === false || terms.expires !== undefined
    await library.table.transact({
      share: { update: shareKey(shareId), changes, if: { revision: { equals: share.revision } } },
      ...(ends && uploadsEnd(library, share)),
      ...askForShareExpiry(library, { ...share, expires: set.expires }),
    })
  })
  return getShare(library, shareId)
}

/** Gives a link a new secret. The old address stops working at once, and open uploads that began by it end. @throws NotFound */
export async function renewSecret(library: Managing & Sealing, shareId: string): Promise<CountedShare & { secret: string }> {
  const secret = newSecret()
  const secretHash = secretHashOf(secret)
  const encryptedSecret = await encryptApiSecret(library, secretName(shareId), secret)
  await retryOnConflict(async () => {
    const share = await ownShare(library, shareId)
    const { revision, secretHash: former } = share
    await library.table.transact({
      share: {
        update: shareKey(shareId),
        changes: { set: { secretHash, encryptedSecret, revision: revision + 1, by: library.by } },
        if: { revision: { equals: revision } },
      },
      former: { delete: secretKey(former) },
      secret: { put: { ...secretKey(secretHash), shareId } satisfies ShareSecret },
      ...uploadsEnd(library, share),
    })
  })
  return { ...(await getShare(library, shareId)), secret }
}

/** Removes a link of the caller's own, or of a company that they are admin of. @throws NotFound */
export async function removeShare(library: AuthorizedWriting & { access: Access<UserCaller> }, shareId: string): Promise<void> {
  await retryOnConflict(async () => deleteShare(library, await ownShare(library, shareId)))
}

const newSecret = (): string => randomBytes(32).toString('base64url')

async function ownShare(library: AuthorizedReading & { access: Access<UserCaller> }, shareId: string): Promise<ShareRecord> {
  const { access } = library
  const share = await findShare(library, shareId)
  const isOwn = share && access.isMember(share.companyId) && share.userId === access.caller.user.userId
  if (!share || !(isOwn || access.isAdmin(share.companyId))) throw new NotFound('share')
  return share
}

async function companyOfFolder({ access }: Managing, folderId: FolderId): Promise<CompanyId> {
  const folder = await access.folderWith('READ', folderId)
  const { companyId } = folder
  if (trashOwner(await access.chains(companyId, { folderIds: [folderId] }), folder) !== undefined) {
    throw new Forbidden('What lies in a trashcan cannot be shared.')
  }
  return companyId
}

async function companyOfFiles(library: Managing, mediaIds: readonly MediaId[]): Promise<CompanyId> {
  const files = await getMany(library, mediaIds)
  const [first] = files
  if (!first || files.length < mediaIds.length) throw new NotFound('media')
  for (const media of files) await library.access.requireShareable(media)
  if (files.some(({ companyId }) => companyId !== first.companyId)) {
    throw new Invalid({ path: 'media_ids', message: 'must be files of one company' })
  }
  return first.companyId
}

/** Files in a CDN folder are public at once, so uploads without an account are forbidden there. */
async function requireUploads(access: Access, folderId: FolderId | undefined): Promise<void> {
  if (folderId === undefined) throw new Invalid({ path: 'allow.upload', message: 'needs a folder' })
  if (isCdnFolder(await access.folderWith('UPLOAD', folderId))) {
    throw new Forbidden('A CDN folder publishes its files: nobody can upload there by a share link.')
  }
}

async function accessOfMaker({ table, access }: Managing, { userId }: ShareRecord): Promise<Access> {
  const maker = userId === access.caller.user.userId ? access.caller.user : await findUser({ table }, userId)
  if (!maker) throw new Forbidden('Whoever made this link may not upload any more.')
  return new Access(table, { kind: 'user', user: maker satisfies UserRecord })
}

async function requireRoom({ table }: Managing, companyId: CompanyId, userId: UserId): Promise<void> {
  const { items } = await table.query<ListedShare>({
    pk: companySharesKey(companyId),
    sk: { beginsWith: userSharesPrefix(userId) },
    limit: MOST_SHARES,
    consistent: true,
  })
  if (items.length >= MOST_SHARES) throw new Conflict(`You have ${MOST_SHARES} share links. Remove some first.`, 'too_many_shares')
}

/** The attributes that store a link's terms. @throws Invalid for an end in the past, Busy */
async function applied(
  { clock, sourceAddress }: Managing,
  { expires, password, download, upload, title, message }: ShareTerms,
): Promise<{ set: Partial<ShareRecord>; remove: string[] }> {
  if (typeof expires === 'number' && expires <= clock.now()) throw new Invalid({ path: 'expires', message: 'must be in the future' })
  const passwordHash = typeof password === 'string' ? await inTurn(sourceAddress, () => hashPassword(password)) : undefined
  return {
    set: {
      ...(typeof expires === 'number' && { expires }),
      ...(passwordHash !== undefined && { passwordHash }),
      ...(download !== undefined && { download }),
      ...(upload !== undefined && { upload }),
      ...(title !== undefined && { title }),
      ...(message !== undefined && { message }),
    },
    remove: [...(expires === null ? ['expires'] : []), ...(password === null ? ['passwordHash'] : [])],
  }
}
