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
import { getSnapshots, type StoredSnapshot, snapshotName, snapshotObject, snapshotsOf, storeSnapshots } from './record.ts'
import { readable } from './stored-snapshots.ts'

/**
 * How long superseded snapshots are kept, in milliseconds: the fallback if the current one is damaged. At most `MOST_KEPT` of a format are
 * kept.
 */
const REPLACED_MS = 86_400_000
const MOST_KEPT = 3
/** Objects that no record names are orphaned after this time, in milliseconds. Until then a run may be about to record them. */
const ORPHANED_MS = 3_600_000
/** Fewer changes are not worth a new snapshot until the last one is older than `OLD_MS`. */
const FEW_CHANGES = 500
const OLD_MS = 86_400_000
/** Age at which a snapshot is remade even without changes, in milliseconds: the change feed keeps removals for three months. */
const OLDEST_MS = 30 * 86_400_000
/** Time for applying changes, in milliseconds. It leaves half of a function's time to copy, compress and store the index. */
const CATCH_UP_MS = 450_000

export interface SnapshotWriting extends Writing {
  snapshotFiles: Pick<Objects, 'get' | 'list' | 'put' | 'delete'>
  indexWriter: IndexWriter
  log: Log
}

/**
 * Makes a snapshot of a company's search index if the last one is too old, and removes those superseded a day ago. Idempotent; safe to run
 * concurrently and to crash: the first of concurrent runs to end records its snapshot, and a later run removes orphaned objects.
 * @returns when to run again: at once if time ran out (the partial snapshot is stored), a day later to remove what is superseded now
 */
export async function writeSnapshot(library: SnapshotWriting, companyId: CompanyId, wanted: WantedSnapshot): Promise<Again | undefined> {
  const { clock, log } = library
  const now = clock.now()
  const record = await getSnapshots(library, companyId)
  const before = record?.snapshots ?? []
  const known = before.filter(({ name }) => name !== wanted.damaged)
  const made = (await isWanted(library, companyId, before, wanted)) ? await make(library, companyId, known) : undefined
  const snapshots = kept(made ? made.snapshots : known, library.indexWriter.format, now)
  if (!isDeepStrictEqual(snapshots, before) && !(await storeSnapshots(library, companyId, record, snapshots))) {
    log.warn('another run was faster to make a snapshot of a search index', { company: companyId })
  }
  await removeOrphaned(library, companyId, before)
  if (snapshots[0]?.isComplete === false) return {}
  return snapshots.length > 1 || made?.isNew ? { inSeconds: REPLACED_MS / 1_000 } : undefined
}

/** Whether to make a snapshot. Small companies get no first one. */
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

/** @param known newest first @returns the snapshots, newest first, with a new one if there were enough changes */
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
 * The snapshots to keep: the partial one that the next run continues, the newest that searches use, and those superseded less than a day
 * ago. Other formats count too, because searches of another version use them.
 * @param format the format that this version writes
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
 * Removes objects that the record doesn't name: those of superseded or damaged snapshots, and of crashed runs.
 * @param before the snapshots before this run
 */
async function removeOrphaned(library: SnapshotWriting, companyId: CompanyId, before: readonly StoredSnapshot[]): Promise<void> {
  const { snapshotFiles, clock } = library
  const named = new Set(((await getSnapshots(library, companyId))?.snapshots ?? []).map((snapshot) => snapshotObject(companyId, snapshot)))
  const orphaned = before.filter(({ made }) => made < clock.now() - ORPHANED_MS).map((old) => snapshotObject(companyId, old))
  for await (const { key, modified } of everyObject(snapshotFiles, snapshotsOf(companyId))) {
    if (modified < clock.now() - ORPHANED_MS) orphaned.push(key)
  }
  const unnamed = [...new Set(orphaned)].filter((key) => !named.has(key))
  if (unnamed.length > 0) await snapshotFiles.delete(unnamed)
}
