import { toCompanyId } from '../../vocabulary/ids.ts'
import { dueKeys } from '../due.ts'
import { SNAPSHOTS, type SnapshotsRecord, snapshotObject, snapshotsKey } from '../index-snapshots/record.ts'
import { addressOf, keyAt } from './keys.ts'
import type { CheckNotes, Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** What no record names is removed by the next run, and there is one a day after the last: later something is stuck. */
const REMOVED_WITHIN_MS = 2 * 86_400_000

/** As facts: an object is stored; a record names it. */
const storedFact = (object: string, bytes: number): string => `${object} is stored with ${bytes} bytes`
const namedFact = (object: string): string => `${object} is named`

/** Whether an object lies where snapshots of search indexes do. */
export const isSnapshotObject = (object: string): boolean => object.startsWith(SNAPSHOTS)

/** Notes an object that the walk finds. */
export function noteSnapshotObject(object: string, bytes: number, notes: CheckNotes): void {
  notes.fact(storedFact(object, bytes))
  notes.need('object', object, namedFact(object))
}

/** Notes a record that the walk finds. @returns what is wrong with it by itself */
export function* noteSnapshots({ media }: Library, record: SnapshotsRecord, notes: CheckNotes): Generator<Problem> {
  for (const [object, bytes] of objectsOf(record)) {
    notes.fact(namedFact(object))
    if (media) notes.need('snapshots', addressOf(record), storedFact(object, bytes))
  }
  yield* problemsOf(record)
}

/** What is wrong with the record of a company's snapshots. @param address of its item */
export async function* checkSnapshots({ table, media }: Library, address: string): AsyncGenerator<Problem> {
  const record = await table.get<SnapshotsRecord>(keyAt(address))
  if (!record) return
  yield* problemsOf(record)
  for (const [object, bytes] of objectsOf(record)) {
    if (media && (await media.head(object))?.bytes !== bytes) yield problem('snapshot_missing', { company_id: record.companyId, object })
  }
}

/** What is wrong with an object that lies where snapshots of search indexes do. @param modified UNIX milliseconds */
export async function* checkSnapshotObject({ table, clock }: Library, object: string, modified: number): AsyncGenerator<Problem> {
  const company_id = Number(object.slice(SNAPSHOTS.length).split('/')[0])
  const record = await table.get<SnapshotsRecord>(snapshotsKey(toCompanyId(company_id)))
  const isNamed = record !== undefined && objectsOf(record).has(object)
  if (!isNamed && modified <= clock.now() - REMOVED_WITHIN_MS) yield problem('snapshot_unused', { company_id, object })
}

const sweptKeys = new Set(dueKeys('JOB'))

function* problemsOf({ companyId: company_id, writer, snapshots = [], dueKey, dueAt }: SnapshotsRecord): Generator<Problem> {
  const isSwept = dueKey !== undefined && sweptKeys.has(dueKey) && dueAt !== undefined
  if ((writer !== undefined || snapshots.length > 1) && !isSwept) yield problem('snapshot_not_swept', { company_id })
}

/** The bytes of the objects that a record names. */
function objectsOf({ companyId, snapshots = [] }: SnapshotsRecord): Map<string, number> {
  return new Map(snapshots.map((snapshot) => [snapshotObject(companyId, snapshot), snapshot.stored]))
}
