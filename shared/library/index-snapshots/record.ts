import { randomBytes } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Reading, Writing } from '../library.ts'

/** A snapshot of a company's search index, as recorded in the table. Its object holds the copy. */
export type StoredSnapshot = {
  name: string
  /** The format of the index file. */
  format: number
  /** A complete snapshot contains everything committed before this time, in UNIX milliseconds. */
  asOf: number
  /** When it was stored, in UNIX milliseconds. */
  made: number
  /** False if the job ran out of time. The next run continues from it; searches ignore it. */
  isComplete: boolean
  /** When a newer one superseded it, in UNIX milliseconds. */
  replaced?: number
  /** Bytes of the index file, and of the object. */
  bytes: number
  stored: number
}

/** The snapshots of a company. There is no record before the first one is made. */
export type SnapshotsRecord = Key & {
  companyId: CompanyId
  /** Newest first. */
  snapshots?: StoredSnapshot[]
  /** Counts changes of the record, for optimistic locking. */
  revision?: number
}

/** Key prefix of all snapshots in the `media` bucket. */
export const SNAPSHOTS = 'search/'

export const snapshotsKey = (companyId: CompanyId): Key => ({ pk: `SEARCH#${companyId}`, sk: 'SNAPSHOTS' })

/** Key prefix of a company's snapshots. */
export const snapshotsOf = (companyId: CompanyId): string => `${SNAPSHOTS}${companyId}/`

export const snapshotObject = (companyId: CompanyId, { name }: Pick<StoredSnapshot, 'name'>): string => `${snapshotsOf(companyId)}${name}`

/** A unique name. Names sort by age. */
export const snapshotName = (asOf: number): string => `${new Date(asOf).toISOString().replace(/\W/g, '')}-${randomBytes(6).toString('hex')}`

export function getSnapshots({ table }: Reading, companyId: CompanyId): Promise<SnapshotsRecord | undefined> {
  return table.get<SnapshotsRecord>(snapshotsKey(companyId))
}

/** Stores the list of a company's snapshots. @param before the record as read @returns false if another run changed the record meanwhile */
export function storeSnapshots(
  { table }: Pick<Writing, 'table'>,
  companyId: CompanyId,
  before: SnapshotsRecord | undefined,
  snapshots: StoredSnapshot[],
): Promise<boolean> {
  const revision = before?.revision
  const set = { companyId, snapshots, revision: (revision ?? 0) + 1 }
  return held(table.update(snapshotsKey(companyId), { set }, { revision: asRead(revision) }))
}
