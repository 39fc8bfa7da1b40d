import { hash } from 'node:crypto'
import type { Key, Operations } from '../../backends/table/port.ts'
import { networksOf } from '../../network.ts'
import type { CompanyId, FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Actor, UserActor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { Forbidden, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { askForRemoval } from '../tree/folder-changes.ts'

/** The downloads that a link allows: none, renditions and previews of films, or the files themselves. */
export const shareDownloads = ['none', 'preview', 'original'] as const
export type ShareDownload = (typeof shareDownloads)[number]

/** The rendition of pictures that a link to previews gives: the largest one. */
export const PREVIEW = '1600px'

/** Most files of a link to files. */
export const MAX_SHARED_FILES = 500

/** A link for people without an account, to a folder with all below it or to some files. It gives what its maker may READ at the time. */
export type ShareRecord = Key & {
  /** 128 random bits, base64url. It opens nothing. */
  shareId: string
  companyId: CompanyId
  /** The maker. */
  userId: UserId
  /** Absent for links to files. */
  folderId?: FolderId
  /** Absent for links to a folder. */
  mediaIds?: MediaId[]
  title: string | null
  message: string | null
  /** End, in UNIX milliseconds. */
  expires?: number
  /** PHC string. */
  passwordHash?: string
  download: ShareDownload
  /** Whether people may send files into the folder. */
  upload: boolean
  /** SHA-256 of the secret in its address, in hex. */
  secretHash: string
  /** The secret, encrypted, so that its maker can be told the address again. */
  encryptedSecret: string
  /** UNIX milliseconds */
  created: number
  revision: number
  by: UserActor
}

/** Usage counts of a link. A separate record, so that visits don't conflict with changes of the link. */
export type ShareCounts = Key & {
  shareId: string
  companyId: CompanyId
  /** The maker. */
  userId: UserId
  visits: number
  downloads: number
  /** Files that were uploaded through it, and their bytes. */
  uploads: number
  bytes: number
  /** Counts reservations and the files made of them (upload-reservations.ts). */
  sends?: number
}

/** Record of a link's removal and its actor, for the feed. */
export type RemovedShare = Key & Pick<ShareRecord, 'shareId' | 'companyId' | 'userId'> & { by: Actor; ttl: number }

/** Finds a link by its secret. */
export type ShareSecret = Key & { shareId: string }

/** Lists a link among those of its company and user. */
export type ListedShare = Key & { shareId: string }

export const shareKey = (shareId: string): Key => ({ pk: `SHARE#${shareId}`, sk: 'SHARE' })
export const countsKey = (shareId: string): Key => ({ pk: shareKey(shareId).pk, sk: 'SHARE-COUNTS' })
export const removedKey = (shareId: string): Key => ({ pk: shareKey(shareId).pk, sk: 'SHARE-REMOVED' })
export const secretKey = (secretHash: string): Key => ({ pk: `SHARE-SECRET#${secretHash}`, sk: 'SECRET' })
/** What the encrypted secret of a link is bound to. */
export const secretName = (shareId: string): string => `SHARE#${shareId}`
export const companySharesKey = (companyId: CompanyId): string => `SHARES#${companyId}`
export const userSharesPrefix = (userId: UserId): string => `${userId}#`
export const listingKey = ({ companyId, userId, shareId }: Pick<ShareRecord, 'companyId' | 'userId' | 'shareId'>): Key => ({
  pk: companySharesKey(companyId),
  sk: userSharesPrefix(userId) + shareId,
})

/** The same refusal for links that have ended and for unknown ones. */
export const noSuchLink = () => new NotFound('share', 'There is no such link. It may have ended.')

export const passwordRequired = () => new Forbidden('This link asks for a password.', 'password_required')

/** A digest that changes with the link's password. Undefined where it has none. */
export const passwordMark = ({ passwordHash }: Pick<ShareRecord, 'passwordHash'>): string | undefined =>
  passwordHash === undefined ? undefined : hash('sha256', passwordHash)

export const secretHashOf = (secret: string): string => hash('sha256', secret)

export async function findShare({ table }: Reading, shareId: string): Promise<ShareRecord | undefined> {
  return table.get<ShareRecord>(shareKey(shareId))
}

/** The target folder of a link's uploads. @throws Forbidden where it takes none */
export function folderForSending({ upload, folderId }: ShareRecord): FolderId {
  if (!upload || folderId === undefined) throw new Forbidden('This link is to look at files, not to send some.', 'uploads_not_allowed')
  return folderId
}

/** Counts a use of a link. Ignores links that are gone meanwhile. */
export async function countUse({ table }: Pick<Writing, 'table'>, shareId: string, use: 'visits' | 'downloads'): Promise<void> {
  await held(table.update(countsKey(shareId), { add: { [use]: 1 } }, { pk: { exists: true } }))
}

/** The write that ends what is being sent by a link where it takes uploads. It goes along with the one that closes the link. */
export const uploadsEnd = (library: Writing, { shareId, companyId, upload }: ShareRecord): Operations =>
  upload ? { uploads: askForRemoval(library, companyId, { shareId }) } : {}

/** The source that people in one network are to a link: an IPv4 address, or an IPv6 /64. Hashed: the table must not reveal addresses. */
export const sourceOf = (shareId: string, address: string): string => hash('sha256', `${shareId} ${networksOf(address)[0]}`)
