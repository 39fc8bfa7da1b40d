import { randomBytes } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Due } from '../due.ts'
import type { Reading, Writing } from '../library.ts'

/** The record of a snapshot of a company's search index. Its object is the copy. */
export type StoredSnapshot = {
  name: string
  /** The format of the index file. */
  format: number
  /** UNIX milliseconds: everything committed before is in it, if it is complete. */
  asOf: number
  /** When it was stored, in UNIX milliseconds. */
  made: number
  /** False where the job ran out of time: the next run goes on with it, and searches have no use for it. */
  isComplete: boolean
  /** When a newer one took its place, in UNIX milliseconds. */
  replaced?: number
  /** Bytes of the index file, and of the object. */
  bytes: number
  stored: number
}

/** The snapshots of a company. There is none before the first one is made. Earlier versions had a sweep see to records that are due. */
export type SnapshotsRecord = Key &
  Partial<Due> & {
    companyId: CompanyId
    /** Newest first. */
    snapshots?: StoredSnapshot[]
    /** Counts the changes of the record. */
    revision?: number
  }

/** Begins the keys of all snapshots in the `media` bucket. */
export const SNAPSHOTS = 'search/'

export const snapshotsKey = (companyId: CompanyId): Key => ({ pk: `SEARCH#${companyId}`, sk: 'SNAPSHOTS' })

/** Begins the keys of a company's snapshots. */
export const snapshotsOf = (companyId: CompanyId): string => `${SNAPSHOTS}${companyId}/`

export const snapshotObject = (companyId: CompanyId, { name }: Pick<StoredSnapshot, 'name'>): string => `${snapshotsOf(companyId)}${name}`

/** A name that no other snapshot has. Names sort by age. */
export const snapshotName = (asOf: number): string => `${new Date(asOf).toISOString().replace(/\W/g, '')}-${randomBytes(6).toString('hex')}`

export function getSnapshots({ table }: Reading, companyId: CompanyId): Promise<SnapshotsRecord | undefined> {
  return table.get<SnapshotsRecord>(snapshotsKey(companyId))
}

/**
 * Notes the snapshots of a company. @param before the record as it was read
 * @returns whether it is so: not where another run changed the record meanwhile
 */
export function noteSnapshots(
  { table }: Pick<Writing, 'table'>,
  companyId: CompanyId,
  before: SnapshotsRecord | undefined,
  snapshots: StoredSnapshot[],
): Promise<boolean> {
  const revision = before?.revision
  const set = { companyId, snapshots, revision: (revision ?? 0) + 1 }
  return held(table.update(snapshotsKey(companyId), { set }, { revision: asRead(revision) }))
}
