import { ConditionFailed, type Key, type Operation, type Operations } from '../../backends/table/port.ts'
import type { CompanyId, FolderId, KeyId, UserId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import type { Due } from '../due.ts'
import type { Reading, Writing } from '../library.ts'

/** Who asked for a zip. What is in it is what they may READ, and nobody else gets it. */
export type Requester = { kind: 'user'; userId: UserId } | { kind: 'application'; keyId: KeyId; key: string }

/**
 * What a job does with a zip that is PENDING: writes down what the folders hold, waits until the downloads of files are made that need
 * metadata written, puts the archive together.
 */
export type Stage = 'list' | 'prepare' | 'assemble'

/** A zip of a folder, or of a selection of files. While it is PENDING it has a job (job.ts). Once it has ended it is due to be removed. */
export type ZipRecord = Key &
  Partial<Due> & {
    /** 128 random bits, base64url. */
    jobId: string
    requester: Requester
    companyId: CompanyId
    /** Of a zip of a folder. */
    folderId?: FolderId
    /** Of a zip of files: its name without extension. The ids are in an item of their own (selection.ts). */
    selection?: { name: string }
    state: 'PENDING' | 'DONE' | 'FAILED'
    /** UNIX milliseconds */
    asked: number
    /** Of the request that asked for it; the e-mail quotes it. */
    requestId: string
    /** Counts changes of the record. A run changes it at its beginning: one that lost its job can change nothing more. */
    revision: number
    stage: Stage
    /** What the job knows so far: of the last time that it listed the files. Absent until then. */
    listing?: Listing
    /** Once DONE: object that is the archive, and until when it can be downloaded, in UNIX seconds. */
    archive?: string
    validUntil?: number
    /** The requester has got the e-mail. */
    mailed?: boolean
    /** Who changed the record last. */
    by?: Actor
  }

/** What a job knows of the files, and how far it is. */
export type Listing = {
  /** Names it among the zip's listings: a zip whose files changed while it was made is listed anew. */
  id: number
  /** Counts them, from 1. */
  attempt: number
  /** UNIX milliseconds: it holds what was committed before. */
  asOf: number
  /** Of the zipped folder, or of the selection. */
  folderName: string
  /** Of the folders, their names, and which of them the requester may READ (folders.ts). Empty of a selection. */
  fingerprint: string
  /** So many of the folders are listed. */
  foldersListed: number
  /** The entries, in the order of the archive. */
  lists: StoredList[]
  /** For so many lists the downloads were asked for that had yet to be made. */
  askedLists: number
  /** UNIX milliseconds: when the last download became ready, and when downloads were asked for. */
  lastProgress: number
  lastAsked: number
  /** Number of entries that are in the archive. */
  assembled: number
}

/** A list of entries in an object of its own (entries.ts). */
export type StoredList = {
  name: string
  entries: number
  /** So many of them are files whose download is yet to be made. */
  waiting: number
}

/** Over all lists. */
export const numberOf = ({ lists }: Pick<Listing, 'lists'>, what: 'entries' | 'waiting'): number =>
  lists.reduce((sum, list) => sum + list[what], 0)

/** Spreads the times at which zips are due. */
export const dueIdOf = ({ folderId, companyId }: Pick<ZipRecord, 'folderId' | 'companyId'>): number => folderId ?? companyId

/** A zip can be downloaded for so long after it was made (interface). */
export const ZIP_SECONDS = 86_400

export const zipKey = (jobId: string): Key => ({ pk: `ZIP#${jobId}`, sk: 'ZIP' })

/** The latest zip that a requester asked for of a folder. */
export type LatestZip = Key & { jobId: string }
export const latestZipKey = (requester: Requester, folderId: FolderId): Key => ({
  pk: `ZIPS#${requesterName(requester)}`,
  sk: `FOLDER#${folderId}`,
})

const requesterName = (requester: Requester): string => (requester.kind === 'user' ? `user-${requester.userId}` : `key-${requester.keyId}`)

export const isSameRequester = (one: Requester, other: Requester): boolean => requesterName(one) === requesterName(other)

/** Where a zip's objects are in the `media` bucket. */
export const zipObjects = {
  everything: (jobId: string) => `zips/${jobId}/`,
  /** Which file is in which folder at which version (contents.ts). */
  contents: (jobId: string) => `zips/${jobId}/contents`,
  /** What a listing needs until the archive is there, and the archive. */
  ofListing: (jobId: string, { id }: Pick<Listing, 'id'>) => `zips/${jobId}/${id}/`,
}

export async function findZip({ table }: Reading, jobId: string): Promise<ZipRecord | undefined> {
  return table.get<ZipRecord>(zipKey(jobId))
}

/** Why no zip can be made, for the operator. No repetition helps. */
export class Unzippable extends Error {
  override name = 'Unzippable'
}

/** Another run of the job goes on, or the zip is gone. */
export class Superseded extends Error {
  override name = 'Superseded'
}

/** The operation that changes a zip, which fails when another run has changed it since it was read, and the zip after it. */
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

/** Changes a zip. @param also what is written in the same transaction @throws Superseded */
export async function changeZip(library: Writing, before: ZipRecord, set: Partial<ZipRecord>, also: Operations = {}): Promise<ZipRecord> {
  const { operation, zip } = zipChange(library, before, set)
  try {
    await library.table.transact({ zip: operation, ...also })
    return zip
  } catch (error) {
    throw error instanceof ConditionFailed ? new Superseded(`zip ${before.jobId}`, { cause: error }) : error
  }
}
