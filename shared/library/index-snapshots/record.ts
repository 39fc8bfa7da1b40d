import { randomBytes } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { asRead, held } from '../conditional.ts'
import { type Due, jobDue } from '../due.ts'
import type { Reading, Writing } from '../library.ts'

/** What is stored of a snapshot of a company's search index. Its object is the copy. */
export type StoredSnapshot = {
  name: string
  /** Of the index file. */
  format: number
  /** UNIX milliseconds: everything committed before is in it, if it is complete. */
  asOf: number
  /** When it was stored, in UNIX milliseconds. */
  made: number
  /** Not where the job ran out of time: the next run goes on with it, and searches have no use for it. */
  isComplete: boolean
  /** Bytes of the index file, and of the object. */
  bytes: number
  stored: number
}

/** The snapshots of a company, and the run of the job that makes one now. */
export type SnapshotsRecord = Key &
  Partial<Due> & {
    companyId: CompanyId
    /** Newest first. Absent until the first one is made. */
    snapshots?: StoredSnapshot[]
    /** Token of the run that writes, and until when, in UNIX milliseconds. */
    writer?: string
    writerUntil?: number
  }

/** How long a run's claim holds, in milliseconds. It renews the claim, but not while SQLite copies a large index. */
export const CLAIM_MS = 300_000

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

/** Whether a run makes a snapshot now. */
export const isBeingWritten = (record: SnapshotsRecord | undefined, now: number): boolean => (record?.writerUntil ?? 0) > now

type Storing = Pick<Writing, 'table' | 'clock'>

/** Makes the caller the run that writes, as the record was read. @returns its token; undefined where another run was faster */
export async function claim(
  { table, clock }: Storing,
  companyId: CompanyId,
  record: SnapshotsRecord | undefined,
): Promise<string | undefined> {
  const writer = randomBytes(9).toString('base64url')
  const now = clock.now()
  const set = { companyId, writer, writerUntil: now + CLAIM_MS, ...jobDue(companyId, now) }
  const unchanged = { writer: asRead(record?.writer), writerUntil: asRead(record?.writerUntil) }
  return (await held(table.update(snapshotsKey(companyId), { set }, unchanged))) ? writer : undefined
}

/** Says that the run goes on. */
export function goOn({ table, clock }: Storing, companyId: CompanyId, writer: string): Promise<boolean> {
  return held(table.update(snapshotsKey(companyId), { set: { writerUntil: clock.now() + CLAIM_MS } }, { writer: asRead(writer) }))
}

/** Lets the next run begin at once, after one that failed. */
export function giveUp({ table }: Storing, companyId: CompanyId, writer: string): Promise<boolean> {
  return held(table.update(snapshotsKey(companyId), { remove: ['writer', 'writerUntil'] }, { writer: asRead(writer) }))
}

/**
 * Ends a run: these are the snapshots now.
 * @param due when the job is to come again, to remove what has been replaced
 * @returns whether it is so: not where another run took over
 */
export function settle(
  { table }: Storing,
  companyId: CompanyId,
  writer: string,
  { snapshots, due }: { snapshots: StoredSnapshot[]; due: Due | undefined },
): Promise<boolean> {
  const remove = ['writer', 'writerUntil', ...(due ? [] : ['dueKey', 'dueAt'])]
  return held(table.update(snapshotsKey(companyId), { set: { snapshots, ...due }, remove }, { writer: asRead(writer) }))
}
