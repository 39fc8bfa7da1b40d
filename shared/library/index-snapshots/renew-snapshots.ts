import type { Clock } from '../../backends/clock/port.ts'
import type { Log } from '../../log/log.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { listOwners } from '../accounts/companies.ts'
import type { Reading } from '../library.ts'
import { askForSnapshot, type SnapshotJobs, snapshotJob } from './job.ts'
import { type SnapshotsRecord, snapshotsKey } from './record.ts'

export interface Renewing extends Reading {
  snapshotJobs: SnapshotJobs
  clock: Clock
  log: Log
}

/** A deployment acts for no user. */
const BY = { kind: 'job', job: snapshotJob.name, run: 'deployment' } as const

/**
 * Asks for snapshots in a format for all companies that only have other formats, and waits until all exist. The other ones stay meanwhile,
 * so searches of both versions find one.
 * @param pause waits between two polls
 */
export async function renewSnapshots(library: Renewing, format: number, pause: () => Promise<unknown>): Promise<void> {
  let waiting = await listOwners(library)
  for (;;) {
    waiting = await lackingOf(library, waiting, format)
    if (waiting.length === 0) return
    for (const companyId of waiting) await askForSnapshot({ ...library, by: BY }, companyId, { newerThan: 0 })
    library.log.info('snapshots of search indexes are awaited in a new format', { format, companies: waiting.length })
    await pause()
  }
}

/** The companies that have a snapshot, but none in this format. */
async function lackingOf({ table }: Reading, companies: readonly CompanyId[], format: number): Promise<CompanyId[]> {
  const found = await table.getMany<SnapshotsRecord>(companies.map(snapshotsKey))
  const lacking = found.filter(({ snapshots = [] }) => {
    const complete = snapshots.filter(({ isComplete }) => isComplete)
    return complete.length > 0 && !complete.some((snapshot) => snapshot.format === format)
  })
  return lacking.map(({ companyId }) => companyId)
}
