import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '../parallel.ts'
import { checkDownload } from './downloads.ts'
import { checkFile, checkOriginal } from './files.ts'
import { checkFolders } from './folders.ts'
import { checkSnapshots } from './index-snapshots.ts'
import type { CheckedLibrary, CheckSuspect, Library, SuspectKind } from './library.ts'
import { checkLink, checkPublicObject } from './links.ts'
import { checkObject, checkObjectsOfFile, noteObjects } from './objects.ts'
import { identityOf, type Problem, problem } from './problem.ts'
import { checkRecord } from './references.ts'
import { checkItem } from './stock.ts'
import { noteTable } from './table.ts'
import { checkUsage } from './usage.ts'
import { checkStream, checkVideo } from './videos.ts'
import { checkZip } from './zips.ts'

/** Milliseconds between the checks of a suspect: in all longer than a job takes to start. */
const PAUSES = [1_000, 4_000, 10_000]
/** Suspects that are checked together. */
const BATCH = 2_000
/** Checks that run at the same time. */
const PARALLELISM = 16
/** A check ends where it has found more problems than this. */
const MOST_PROBLEMS = 10_000

/** How to check a suspect: by consistent reads of everything that concerns it. */
const checks: Record<SuspectKind, (library: Library, subject: string) => AsyncIterable<Problem>> = {
  record: checkRecord,
  folders: checkFolders,
  file: checkFile,
  original: checkOriginal,
  usage: checkUsage,
  object: checkObject,
  objects: checkObjectsOfFile,
  download: checkDownload,
  zip: checkZip,
  snapshots: checkSnapshots,
  link: checkLink,
  public: checkPublicObject,
  video: checkVideo,
  stream: checkStream,
  item: checkItem,
}

/**
 * Checks that all objects and the whole table fit together: finds orphans, dangling references, wrong counts, jobs that got stuck.
 *
 * 1. One walk over the objects and one over the table note facts, and what needs them.
 * 2. What needs a missing fact is a suspect, no more: the walks take time, and the library is in use meanwhile.
 * 3. Each suspect is checked by consistent reads, several times with pauses: a read may come between the writes of others, and a job may be
 *    about to remove something. A problem is what all these checks find.
 *
 * Memory holds a page of each walk and the folders of some companies, at any size of library.
 * @param options.pauses milliseconds between the checks of a suspect
 * @param options.deep whether each original is read and its MD5 compared
 * @throws ObjectsUnavailable, TableUnavailable, and errors of the notes, as of a full disk
 */
export async function checkLibrary(
  { scanner, notes, table, media, publicFiles, clock }: CheckedLibrary,
  { pauses = PAUSES, deep = false }: { pauses?: readonly number[]; deep?: boolean } = {},
): Promise<Problem[]> {
  // Trees are cached by reader (tree-store.ts): a reader of its own has none that others have cached.
  const reader: Library['table'] = {
    get: (key, options) => table.get(key, options),
    getMany: (keys, options) => table.getMany(keys, options),
    query: (query) => table.query(query),
    settleTime: table.settleTime,
  }
  const library = { table: reader, media, publicFiles, clock }
  // Objects first: a file's objects are stored before it becomes available, so those of each file that is met later are noted.
  await noteObjects(library, notes)
  await noteTable(library, scanner, notes, deep)
  const problems: Problem[] = []
  for (const suspects of notes.suspects(BATCH)) {
    for (const found of await confirm(library, suspects, pauses)) problems.push(found)
    if (problems.length >= MOST_PROBLEMS) return [...problems.slice(0, MOST_PROBLEMS), problem('too_many_problems', {})]
  }
  return problems
}

/** @returns the problems that every check of the suspects finds */
async function confirm(library: Library, suspects: readonly CheckSuspect[], pauses: readonly number[]): Promise<Iterable<Problem>> {
  let found = await checkAll(library, suspects)
  for (const pause of pauses) {
    if (found.size === 0) break
    await sleep(pause)
    const again = await checkAll(library, new Set(found.values().map(({ suspect }) => suspect)))
    found = new Map(found.entries().filter(([identity]) => again.has(identity)))
  }
  return found.values().map(({ found }) => found)
}

/** @returns all that is wrong with the suspects now, by identity, in their order */
async function checkAll(library: Library, suspects: Iterable<CheckSuspect>) {
  const ordered = [...suspects]
  const checked = new Map<CheckSuspect, Problem[]>()
  await inParallel(ordered, PARALLELISM, async (suspect) => void checked.set(suspect, await check(library, suspect)))
  return new Map(ordered.flatMap((suspect) => checked.get(suspect)!.map((found) => [identityOf(found), { suspect, found }])))
}

/** Items without the attributes of their kind are a problem, and don't end the check. */
async function check(library: Library, { kind, subject }: CheckSuspect): Promise<Problem[]> {
  try {
    return await Array.fromAsync(checks[kind](library, subject))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return [problem('unreadable_item', { object: subject }, ` (${error.message})`)]
  }
}
