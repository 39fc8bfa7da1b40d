import type { Clock } from '../../backends/clock/port.ts'
import { ObjectMissing, type ObjectReader, RangeOutside } from '../../backends/objects/port.ts'
import { IndexBehind } from '../../backends/search/port.ts'
import { DamagedSnapshot, type IndexSnapshot, type IndexSnapshots } from '../../backends/search/snapshots/port.ts'
import type { Log } from '../../log/log.ts'
import { type CompanyId, toCompanyId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { askForSnapshot, type SnapshotJobs, snapshotJob, type WantedSnapshot } from './job.ts'
import { isLarge, MOST_BUILT } from './large.ts'
import { getSnapshots, type SnapshotsRecord, type StoredSnapshot, snapshotObject } from './record.ts'

/**
 * A snapshot is due when the index has taken this many changes since the last one, or any change and the last one is older than
 * `LONG_AGO_MS`.
 */
const MANY_CHANGES = 2_000
const LONG_AGO_MS = 86_400_000
/** `Retry-After` in seconds. Making a snapshot takes seconds, for a million files minutes. */
const RETRY_SECONDS = 10

export interface SnapshotReading extends Reading {
  snapshotFiles: Pick<ObjectReader, 'get'>
  snapshotJobs: SnapshotJobs
  clock: Clock
  log: Log
}

/** Processes that search act for no user. */
const BY = { kind: 'job', job: snapshotJob.name, run: 'search' } as const

/** Gives short-lived search processes the snapshots that the job stores. */
export function storedSnapshots(library: SnapshotReading): IndexSnapshots {
  return new StoredSnapshots(library)
}

class StoredSnapshots implements IndexSnapshots {
  readonly #library: SnapshotReading
  /** Changes that this process's index has taken since the snapshot of that time, by company. */
  readonly #taken = new Map<CompanyId, { since: number; changes: number }>()
  /** Companies without a snapshot that are known to be large. */
  readonly #large = new Set<CompanyId>()

  constructor(library: SnapshotReading) {
    this.#library = library
  }

  async find(company: number, format: number): Promise<IndexSnapshot[]> {
    const companyId = toCompanyId(company)
    const record = await getSnapshots(this.#library, companyId)
    const usable = usableOf(record, format)
    if (usable.length > 0) return usable.map((snapshot) => readable(this.#library, companyId, snapshot))
    if (!this.#large.has(companyId) && !(await isLarge(this.#library, companyId))) return []
    this.#large.add(companyId)
    await this.#ask(companyId, { newerThan: 0 })
    throw new IndexBehind(`the first snapshot of the index of company ${companyId} is being made`, { retryAfter: RETRY_SECONDS })
  }

  async isUnusable(company: number, { name, asOf }: IndexSnapshot, error: unknown): Promise<void> {
    const companyId = toCompanyId(company)
    this.#library.log.error('a snapshot of a search index cannot be used: it is made again', { company: companyId, snapshot: name, error })
    await this.#unlessDown(companyId, this.#ask(companyId, { newerThan: asOf, damaged: name }))
  }

  async took(company: number, format: number, began: number, changes: number): Promise<void> {
    const companyId = toCompanyId(company)
    await this.#unlessDown(companyId, this.#took(companyId, format, began, changes))
  }

  async #took(companyId: CompanyId, format: number, began: number, changes: number): Promise<void> {
    const { table, clock } = this.#library
    const known = this.#taken.get(companyId)
    const taken = known && known.since >= began ? known : { since: began, changes: 0 }
    taken.changes += changes
    this.#taken.set(companyId, taken)
    const isDue = taken.since === 0 ? taken.changes > MOST_BUILT : taken.changes >= MANY_CHANGES || clock.now() - taken.since > LONG_AGO_MS
    if (!isDue) return
    const record = await getSnapshots({ table }, companyId)
    const [newest] = usableOf(record, format)
    if (newest && newest.asOf > taken.since) this.#taken.set(companyId, { since: newest.asOf, changes: 0 })
    else await this.#ask(companyId, { newerThan: taken.since })
  }

  #ask(companyId: CompanyId, wanted: WantedSnapshot): Promise<void> {
    return askForSnapshot({ ...this.#library, by: BY }, companyId, wanted)
  }

  /** A search that has an index must not fail because the job can't be enqueued. The next search asks again. */
  async #unlessDown(companyId: CompanyId, asking: Promise<void>): Promise<void> {
    await asking.catch((error: unknown) => {
      this.#library.log.warn('a snapshot of a search index could not be asked for', { company: companyId, error })
    })
  }
}

/** The snapshots that searches may use, newest first. */
function usableOf(record: SnapshotsRecord | undefined, format: number): StoredSnapshot[] {
  return (record?.snapshots ?? []).filter((snapshot) => snapshot.isComplete && snapshot.format === format)
}

/** A snapshot in the form that search engines read. */
export function readable(
  { snapshotFiles }: Pick<SnapshotReading, 'snapshotFiles'>,
  companyId: CompanyId,
  snapshot: StoredSnapshot,
): IndexSnapshot {
  const { name, asOf, bytes, stored } = snapshot
  return {
    name,
    asOf,
    bytes,
    stored,
    async read(start, end) {
      try {
        return (await snapshotFiles.get(snapshotObject(companyId, snapshot), { start, end })).stream
      } catch (error) {
        if (!(error instanceof ObjectMissing || error instanceof RangeOutside)) throw error
        throw new DamagedSnapshot(`snapshot ${name} is not there`, { cause: error })
      }
    },
  }
}
