import { toCompanyId } from '../../vocabulary/ids.ts'
import { getSnapshotJob } from '../index-snapshots/job.ts'
import { SNAPSHOTS, type SnapshotsRecord, snapshotObject, snapshotsKey } from '../index-snapshots/record.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** The next run removes objects that no record names, at most a day after the last: later something is stuck. */
const REMOVED_WITHIN_MS = 2 * 86_400_000

/** Whether an object lies where snapshots of search indexes do. */
export const isSnapshotObject = (object: string): boolean => object.startsWith(SNAPSHOTS)

/** Yields the problems of the record of a company's snapshots. */
export async function* checkSnapshots({ table, media }: Library, record: SnapshotsRecord): AsyncGenerator<Problem> {
  const { companyId, snapshots = [] } = record
  if (snapshots.length > 1 && !(await getSnapshotJob({ table }, companyId))) {
    yield problem('snapshot_not_swept', { company_id: companyId })
  }
  for (const [object, bytes] of objectsOf(record)) {
    if (media && (await media.head(object))?.bytes !== bytes) yield problem('snapshot_missing', { company_id: companyId, object })
  }
}

/** Yields the problems of an object that lies where snapshots of search indexes do. */
export async function* checkSnapshotObject({ table, media, clock }: Library, object: string): AsyncGenerator<Problem> {
  const company_id = Number(object.slice(SNAPSHOTS.length).split('/')[0])
  const record = await table.get<SnapshotsRecord>(snapshotsKey(toCompanyId(company_id)))
  if (record && objectsOf(record).has(object)) return
  const stored = await media?.head(object)
  if (stored && stored.modified <= clock.now() - REMOVED_WITHIN_MS) yield problem('snapshot_unused', { company_id, object })
}

/** The bytes of the objects that a record names. */
function objectsOf({ companyId, snapshots = [] }: SnapshotsRecord): Map<string, number> {
  return new Map(snapshots.map((snapshot) => [snapshotObject(companyId, snapshot), snapshot.stored]))
}
