import type { Objects } from '../../backends/objects/port.ts'
import type { IndexWriter, OpenIndex } from '../../backends/search/snapshots/port.ts'
import type { Log } from '../../log/log.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Messages } from '../../vocabulary/messages.ts'
import { jobDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { everyObject } from '../pages.ts'
import { renewing } from '../renewal.ts'
import { isLarge } from './large.ts'
import {
  CLAIM_MS,
  claim,
  getSnapshots,
  giveUp,
  goOn,
  isBeingWritten,
  type SnapshotsRecord,
  type StoredSnapshot,
  settle,
  snapshotName,
  snapshotObject,
  snapshotsOf,
} from './record.ts'
import { readable } from './stored-snapshots.ts'

/** A snapshot that has been replaced stays for so long, in milliseconds: the one before a damaged one. Of more than `MOST_KEPT` the oldest go. */
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
 * Makes a snapshot of a company's search index, if the last one is not newer than the message asks for. One run at a time does so for a company;
 * another one ends at once. Where a run ends in the middle, a later one finds the claim over, and removes the object that nobody named.
 * One that has not time enough stores what it has, and the next run goes on with it: whoever searches asks for that, or the sweep of lost jobs.
 */
export async function writeSnapshot(library: SnapshotWriting, message: Messages['snapshots']): Promise<void> {
  const { clock, log } = library
  const { companyId } = message
  const record = await getSnapshots(library, companyId)
  const now = clock.now()
  if (isBeingWritten(record, now) || !(await isWanted(library, record, message))) return
  const writer = await claim(library, companyId, record)
  if (writer === undefined) return
  try {
    await using _renewal = renewing(CLAIM_MS, () => goOn(library, companyId, writer))
    const known = (record?.snapshots ?? []).filter(({ name }) => name !== message.damaged)
    const made = isNewer(known, message, library) ? undefined : await make(library, companyId, known)
    const snapshots = kept(made ? made.snapshots : known, now)
    const isComplete = snapshots[0]?.isComplete ?? true
    const due = snapshots.length > 1 || made?.isNew ? jobDue(companyId, isComplete ? now + REPLACED_MS : now) : undefined
    const isSettled = await settle(library, companyId, writer, { snapshots, due })
    if (!isSettled) log.warn('another run took over while a snapshot of a search index was made', { company: companyId })
    await removeLost(library, companyId, record?.snapshots ?? [])
  } catch (error) {
    await giveUp(library, companyId, writer).catch(() => false)
    throw error
  }
}

/** Whether there is anything to do: a company that is small gets no first snapshot. */
async function isWanted(library: SnapshotWriting, record: SnapshotsRecord | undefined, message: Messages['snapshots']): Promise<boolean> {
  const { companyId, newerThan, damaged } = message
  const { snapshots = [] } = record ?? {}
  if (damaged !== undefined && snapshots.some(({ name }) => name === damaged)) return true
  if (record && newerThan === undefined) return true
  if (isNewer(snapshots, message, library)) return false
  return snapshots.length > 0 || isLarge(library, companyId)
}

/** Whether there is a complete snapshot that is newer than asked for. */
function isNewer(
  snapshots: readonly StoredSnapshot[],
  { newerThan = 0 }: Messages['snapshots'],
  { indexWriter }: SnapshotWriting,
): boolean {
  const newest = snapshots.find(({ isComplete, format }) => isComplete && format === indexWriter.format)
  return newest !== undefined && newest.asOf > newerThan
}

/** @param known newest first @returns the snapshots with a new one, if one was worth it; newest first */
async function make(library: SnapshotWriting, companyId: CompanyId, known: readonly StoredSnapshot[]) {
  const { indexWriter, clock, log } = library
  const usable = known.filter(({ format }) => format === indexWriter.format)
  await using index = await indexWriter.open(
    companyId,
    usable.map((snapshot) => readable(library, companyId, snapshot)),
  )
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

/** What the next run goes on with, the newest that searches use, and those before it that were replaced less than a day ago. */
function kept(snapshots: readonly StoredSnapshot[], now: number): StoredSnapshot[] {
  const complete = snapshots.filter(({ isComplete }) => isComplete)
  const used = complete.filter((_, n) => n === 0 || complete[n - 1]!.made > now - REPLACED_MS).slice(0, MOST_KEPT)
  const [newest] = snapshots
  return newest && !newest.isComplete ? [newest, ...used] : used
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
