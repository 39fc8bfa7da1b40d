import type { UrlSigner } from '../../backends/edge/port.ts'
import { ConditionFailed, type Key, type Operation, type Operations } from '../../backends/table/port.ts'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import type { CompanyId, FolderId, KeyId, UserId } from '../../vocabulary/ids.ts'
import { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { findKey } from '../accounts/api-keys.ts'
import { findUser } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import type { Reading, Writing } from '../library.ts'
import { attachment } from '../media/delivery.ts'
import { findShare } from '../shares/share.ts'
import { openedBy } from '../shares/visit.ts'

/**
 * The requester of a zip: it holds what they may READ, and only they may download it. By a share link its maker stands for whoever has the link,
 * and a link that gives `previews` is another requester than the same one when it gives the files.
 */
export type Requester =
  | { kind: 'user'; userId: UserId; shareId?: string; previews?: true }
  | { kind: 'application'; keyId: KeyId; key: string }

/**
 * Stages of a PENDING zip: its job lists the files, waits for downloads with metadata, and assembles the archive.
 */
type Stage = 'list' | 'prepare' | 'assemble'

/** A zip of a folder, or of a selection of files. A PENDING zip has a job that makes it, an ended one a job that removes it (job.ts). */
export type ZipRecord = Key & {
  /** 128 random bits, base64url. */
  jobId: string
  requester: Requester
  companyId: CompanyId
  /** The folder of a zip of a folder. */
  folderId?: FolderId
  /** The name of a zip of files, without extension. The ids are in an item of their own (selection.ts). */
  selection?: { name: string }
  state: 'PENDING' | 'DONE' | 'FAILED'
  /** UNIX milliseconds */
  asked: number
  /** Id of the request for it, which the e-mail quotes. */
  requestId: string
  /** Counts changes of the record. A new run increments it, which fences off runs that lost the job. */
  revision: number
  stage: Stage
  /** The last listing of the files. Absent before the first. */
  listing?: Listing
  /** Once DONE: the key of the archive, and the end of its download in UNIX seconds. */
  archive?: string
  validUntil?: number
  /** Whether the e-mail was sent. */
  mailed?: boolean
  /** Actor of the last change. */
  by?: Actor
}

/** A listing of the files, and the job's progress. */
export type Listing = {
  /** Name among the zip's listings. Files that change during the job cause a new listing. */
  id: number
  /** Counts them, from 1. */
  attempt: number
  /** UNIX milliseconds. The listing holds all earlier commits. */
  asOf: number
  /** The name of the zipped folder, or of the selection. */
  folderName: string
  /** Digest of the folders, their names, and the requester's READ rights (entries.ts). Empty for a selection. */
  fingerprint: string
  /** Number of listed folders. */
  foldersListed: number
  /** The entries, in the order of the archive. */
  lists: StoredList[]
  /** Number of lists whose missing downloads were requested. */
  askedLists: number
  /** UNIX milliseconds of the last download that became ready, and of the last request for downloads. */
  lastProgress: number
  lastAsked: number
  /** Number of entries in the archive. */
  assembled: number
}

/** A list of entries in an object of its own (entries.ts). */
export type StoredList = {
  name: string
  entries: number
  /** Number of files without a ready download. */
  waiting: number
}

/** Over all lists. */
export const numberOf = ({ lists }: Pick<Listing, 'lists'>, what: 'entries' | 'waiting'): number =>
  lists.reduce((sum, list) => sum + list[what], 0)

/** How long a zip can be downloaded, after it was made. */
export const ZIP_SECONDS = 86_400

export const zipKey = (jobId: string): Key => ({ pk: `ZIP#${jobId}`, sk: 'ZIP' })

/** The requester's latest zip of a folder. */
export type LatestZip = Key & { jobId: string }
export const latestZipKey = (requester: Requester, folderId: FolderId): Key => ({
  pk: `ZIPS#${requesterName(requester)}`,
  sk: `FOLDER#${folderId}`,
})

function requesterName(requester: Requester): string {
  if (requester.kind === 'application') return `key-${requester.keyId}`
  if (requester.shareId === undefined) return `user-${requester.userId}`
  return `share-${requester.shareId}${isOfPreviews({ requester }) ? '-previews' : ''}`
}

/** Whether a zip holds previews, and never an original. */
export const isOfPreviews = ({ requester }: Pick<ZipRecord, 'requester'>): boolean =>
  requester.kind === 'user' && requester.previews === true

export const isSameRequester = (one: Requester, other: Requester): boolean => requesterName(one) === requesterName(other)

/** Keys of a zip's objects in the `media` bucket. */
export const zipObjects = {
  everything: (jobId: string) => `zips/${jobId}/`,
  /** The files with their folders and versions (validity.ts). */
  contents: (jobId: string) => `zips/${jobId}/contents`,
  /** The objects of a listing, and the archive. */
  ofListing: (jobId: string, { id }: Pick<Listing, 'id'>) => `zips/${jobId}/${id}/`,
}

export async function findZip({ table }: Reading, jobId: string): Promise<ZipRecord | undefined> {
  return table.get<ZipRecord>(zipKey(jobId))
}

/** Thrown when a zip can't be made, with the reason for the operator. A retry doesn't help. */
export class Unzippable extends Error {
  override name = 'Unzippable'
}

/** Thrown when another run has taken over, or the zip is deleted. */
export class Superseded extends Error {
  override name = 'Superseded'
}

/** The conditional write of a change, and the zip after it. Fails where another run changed the zip since it was read. */
export function zipChange({ by }: Pick<Writing, 'by'>, zip: ZipRecord, set: Partial<ZipRecord>): { operation: Operation; zip: ZipRecord } {
  const changes = { ...set, revision: zip.revision + 1, by }
  const removed = Object.keys(set).filter((name) => set[name as keyof ZipRecord] === undefined)
  return {
    operation: {
      update: zipKey(zip.jobId),
      changes: { set: changes, remove: removed },
      if: { revision: { equals: zip.revision } },
    },
    zip: { ...zip, ...changes },
  }
}

/** Changes a zip. @param also further writes of the transaction @throws Superseded */
export async function changeZip(library: Writing, before: ZipRecord, set: Partial<ZipRecord>, also: Operations = {}): Promise<ZipRecord> {
  const { operation, zip } = zipChange(library, before, set)
  try {
    await library.table.transact({ zip: operation, ...also })
    return zip
  } catch (error) {
    throw error instanceof ConditionFailed ? new Superseded(`zip ${before.jobId}`, { cause: error }) : error
  }
}

/** URL of a DONE zip, named after its folder, valid as long as the zip. Undefined for others. */
export async function zipUrl({ urls }: { urls: UrlSigner }, { archive, validUntil, listing }: ZipRecord): Promise<string | undefined> {
  if (archive === undefined || validUntil === undefined || !listing) return undefined
  const name = new EntryNames().unique(`${listing.folderName}.zip`, 'file')
  return urls.sign(archive, { expires: validUntil * 1000, disposition: attachment(name), contentType: 'application/zip' })
}

/** Progress of a zip, once known. A ready entry counts half, an archived one whole. */
export function progressOf({ state, stage, listing }: ZipRecord): { done: number; total: number } | undefined {
  if (state !== 'PENDING' || stage === 'list' || !listing) return undefined
  const total = numberOf(listing, 'entries')
  const ready = total - numberOf(listing, 'waiting')
  return { done: Math.floor((ready + listing.assembled) / 2), total }
}

export function requesterOf(caller: Caller): Requester {
  if (caller.kind === 'user') {
    const { opened, user } = caller
    const byLink = opened && { shareId: opened.shareId, ...(opened.givesPreviews && { previews: true as const }) }
    return { kind: 'user', userId: user.userId, ...byLink }
  }
  const { keyId, key } = caller.key
  return { kind: 'application', keyId, key }
}

/** The requester's present access. Undefined for a share link that gives something else by now, for a disabled user, and for a key that is revoked or may not download. */
export async function accessOfRequester(
  { table, clock }: Reading & Pick<Writing, 'clock'>,
  requester: Requester,
): Promise<Access | undefined> {
  if (requester.kind === 'user' && requester.shareId !== undefined) {
    const share = await findShare({ table }, requester.shareId)
    return share?.download === (requester.previews ? 'preview' : 'original') ? (await openedBy({ table, clock }, share))?.access : undefined
  }
  if (requester.kind === 'user') {
    const user = await findUser({ table }, requester.userId)
    return user && !user.disabled ? new Access(table, { kind: 'user', user }) : undefined
  }
  const key = await findKey({ table }, requester.key)
  return key?.grants.includes('downloads') ? new Access(table, { kind: 'application', key }) : undefined
}
