import { isDeepStrictEqual } from 'node:util'
import type { Objects } from '../../backends/objects/port.ts'
import type { IndexWriter, OpenIndex } from '../../backends/search/snapshots/port.ts'
import type { Log } from '../../log/log.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { everyObject } from '../pages.ts'
import type { WantedSnapshot } from './job.ts'
import { isLarge } from './large.ts'
import { getSnapshots, noteSnapshots, type StoredSnapshot, snapshotName, snapshotObject, snapshotsOf } from './record.ts'
import { readable } from './stored-snapshots.ts'

/** A snapshot that has been replaced stays for so long, in milliseconds: the one before a damaged one. Of more than `MOST_KEPT` of a format the oldest go. */
const REPLACED_MS = 86_400_000
const MOST_KEPT = 3
/** An object that no record names is one of a run that crashed, once it is so old, in milliseconds. Until then a run may be about to name it. */
const LOST_MS = 3_600_000
/** Fewer changes are not worth a new snapshot, until the last one is so old, in milliseconds. */
const FEW_CHANGES = 500
const OLD_MS = 86_400_000
/** Even without a change a snapshot is made again after so long: the feed knows removals for three months. In milliseconds. */
const OLDEST_MS = 30 * 86_400_000
/** The time for taking changes; after it half of a function's time is left to copy, compress and store what there is. In milliseconds. */
const CATCH_UP_MS = 450_000

export interface SnapshotWriting extends Writing {
  snapshotFiles: Pick<Objects, 'get' | 'list' | 'put' | 'delete'>
  indexWriter: IndexWriter
  log: Log
}

/**
 * Makes a snapshot of a company's search index, if the last one is not newer than wanted, and removes those that were replaced a day ago. May be
 * repeated, also while another run is at it, and after a crash: of runs at the same time the first to end has made the snapshot, and objects that
 * nobody named are removed by a later run.
 * @returns when to come again: at once after a run that had not time enough, which stored what it has; a day later to remove what is replaced now
 */
export async function writeSnapshot(library: SnapshotWriting, companyId: CompanyId, wanted: WantedSnapshot): Promise<Again | undefined> {
  const { clock, log } = library
  const now = clock.now()
  const record = await getSnapshots(library, companyId)
  const before = record?.snapshots ?? []
  const known = before.filter(({ name }) => name !== wanted.damaged)
  const made = (await isWanted(library, companyId, before, wanted)) ? await make(library, companyId, known) : undefined
  const snapshots = kept(made ? made.snapshots : known, library.indexWriter.format, now)
  if (!isDeepStrictEqual(snapshots, before) && !(await noteSnapshots(library, companyId, record, snapshots))) {
    log.warn('another run was faster to make a snapshot of a search index', { company: companyId })
  }
  await removeLost(library, companyId, before)
  if (snapshots[0]?.isComplete === false) return {}
  return snapshots.length > 1 || made?.isNew ? { inSeconds: REPLACED_MS / 1_000 } : undefined
}

/** Whether a snapshot is missing: a company that is small gets no first one. */
async function isWanted(
  library: SnapshotWriting,
  companyId: CompanyId,
  before: readonly StoredSnapshot[],
  { newerThan, damaged }: WantedSnapshot,
): Promise<boolean> {
  const { format } = library.indexWriter
  if (before.some((each) => each.isComplete && each.format === format && each.asOf > newerThan && each.name !== damaged)) return false
  return before.length > 0 || isLarge(library, companyId)
}

/** @param known newest first @returns the snapshots with a new one, if one was worth it; newest first */
async function make(library: SnapshotWriting, companyId: CompanyId, known: readonly StoredSnapshot[]) {
  const { indexWriter, clock, log } = library
  const usable = known.filter(({ format }) => format === indexWriter.format)
  await using index = await indexWriter.open(
    companyId,
    usable.map((snapshot) => readable(library, companyId, snapshot)),
  )
  if (!index) return undefined
  const asOf = clock.now()
  const { changes, isComplete } = await index.catchUp(CATCH_UP_MS)
  for (const { snapshot, error } of index.unusable) {
    log.error('a snapshot of a search index cannot be used: it is made again', { company: companyId, snapshot: snapshot.name, error })
  }
  const unusable = new Set(index.unusable.map(({ snapshot }) => snapshot.name))
  const rest = known.filter(({ name }) => !unusable.has(name))
  const base = usable.find(({ name }) => name === index.base?.name)
  if (isComplete && base && base === known[0] && !isOutdated(base, changes, asOf)) return { snapshots: rest, isNew: false }
  return { snapshots: [await store(library, companyId, index, { asOf, isComplete }), ...rest], isNew: true }
}

function isOutdated({ isComplete, asOf }: StoredSnapshot, changes: number, now: number): boolean {
  const age = now - asOf
  return !isComplete || changes >= FEW_CHANGES || (changes > 0 && age > OLD_MS) || age > OLDEST_MS
}

async function store(
  { snapshotFiles, indexWriter, clock, log }: SnapshotWriting,
  companyId: CompanyId,
  index: OpenIndex,
  { asOf, isComplete }: Pick<StoredSnapshot, 'asOf' | 'isComplete'>,
): Promise<StoredSnapshot> {
  const name = snapshotName(asOf)
  const { bytes, content } = await index.pack()
  const object = await snapshotFiles.put(snapshotObject(companyId, { name }), content, { contentType: 'application/zstd' })
  log.info('a snapshot of a search index is stored', { company: companyId, snapshot: name, bytes, stored: object.bytes, isComplete })
  return { name, format: indexWriter.format, asOf, made: clock.now(), isComplete, bytes, stored: object.bytes }
}

/**
 * The snapshots that stay: the one with which the next run goes on, the newest that searches use, and those that it replaced less than a day
 * ago: also those of another format, which searches of another version use.
 * @param format of the writer
 */
function kept(snapshots: readonly StoredSnapshot[], format: number, now: number): StoredSnapshot[] {
  const complete = snapshots.filter(({ isComplete }) => isComplete)
  const current = complete.find((snapshot) => snapshot.format === format)
  const used = complete
    .map(
      ({ replaced = now, ...snapshot }): StoredSnapshot =>
        current === undefined || current.name === snapshot.name ? snapshot : { ...snapshot, replaced },
    )
    .filter(({ replaced = now }) => replaced > now - REPLACED_MS)
  const ofFormat = Map.groupBy(used, (snapshot) => snapshot.format)
  const few = used.filter((snapshot) => ofFormat.get(snapshot.format)!.indexOf(snapshot) < MOST_KEPT)
  const [newest] = snapshots
  return newest && !newest.isComplete ? [newest, ...few] : few
}

/**
 * Removes objects that no record names: of snapshots that were replaced, or are damaged, and of runs that crashed.
 * @param before the snapshots that there were
 */
async function removeLost(library: SnapshotWriting, companyId: CompanyId, before: readonly StoredSnapshot[]): Promise<void> {
  const { snapshotFiles, clock } = library
  const named = new Set(((await getSnapshots(library, companyId))?.snapshots ?? []).map((snapshot) => snapshotObject(companyId, snapshot)))
  const lost = before.filter(({ made }) => made < clock.now() - LOST_MS).map((old) => snapshotObject(companyId, old))
  for await (const { key, modified } of everyObject(snapshotFiles, snapshotsOf(companyId))) {
    if (modified < clock.now() - LOST_MS) lost.push(key)
  }
  const unnamed = [...new Set(lost)].filter((key) => !named.has(key))
  if (unnamed.length > 0) await snapshotFiles.delete(unnamed)
}
