import { inParallel } from '../../parallel.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { checkFile, checkOriginal } from './files.ts'
import { checkFolders, readFolders } from './folders.ts'
import { checkItem } from './items.ts'
import type { CheckedLibrary, Library, Subject, SubjectKind } from './library.ts'
import { checkPublicObject } from './links.ts'
import { checkObject, checkObjectsOfFile } from './objects.ts'
import { checkAliasObject, isAliasObject } from './presets.ts'
import { identityOf, type Problem, problem } from './problem.ts'
import type { StoredFolders } from './stored-folders.ts'
import { everySubject } from './subjects.ts'
import { checkUsage } from './usage.ts'
import { checkStream } from './videos.ts'

/** Milliseconds between the checks of a suspect. Together they are longer than a job takes to start. */
const PAUSES = [1_000, 4_000, 10_000]
/** Subjects that are checked together. */
const BATCH = 1_000
/** Checks that run at the same time. */
const PARALLELISM = 16
/** Limit of reported problems. */
const MOST_PROBLEMS = 10_000
/** Folders that are cached while their files are checked. */
const FOLDERS_IN_MEMORY = 300_000

/** The rules of a subject, with consistent reads. The walk and the checks of suspects run the same ones. */
const checks: Record<SubjectKind, (library: Library, subject: Subject) => AsyncIterable<Problem>> = {
  item: (library, { id, item }) => checkItem(library, id, item),
  folders: (library, { id }) => checkFolders(library, id),
  file: (library, { id }) => checkFile(library, id),
  original: (library, { id }) => checkOriginal(library, id),
  usage: (library, { id }) => checkUsage(library, id),
  object: (library, { id }) => checkObject(library, id),
  objects: (library, { id, sizes }) => checkObjectsOfFile(library, id, sizes),
  public: (library, { id }) => (isAliasObject(id) ? checkAliasObject(library, id) : checkPublicObject(library, id)),
  stream: (library, { id }) => checkStream(library, id),
}

/** The problems that the walk suspects, by identity, with the subject that is checked again. */
type Suspects = ReadonlyMap<string, { subject: Subject; found: Problem }>

/**
 * Checks that all objects and the whole table fit together: finds orphans, dangling references, wrong counts, jobs that got stuck.
 *
 * 1. One walk over the table and one over the objects list the subjects. Each is checked by consistent reads.
 * 2. A subject that fails is only a suspect: a read may come between two writes, and a job may be about to remove something. It is checked again
 *    several times, with pauses. A problem is what every check finds.
 *
 * Memory holds some subjects, the folders of some companies, the ids of streams and the counters of disk usage.
 * @param options.pauses milliseconds between the checks of a suspect
 * @param options.deep whether each original is read and its MD5 compared
 * @throws ObjectsUnavailable, TableUnavailable
 */
export async function checkLibrary(
  checked: CheckedLibrary,
  { pauses = PAUSES, deep = false }: { pauses?: readonly number[]; deep?: boolean } = {},
): Promise<Problem[]> {
  const { table, media, publicFiles, clock } = checked
  // Trees are cached by reader (tree-store.ts), so a new reader starts without a cache.
  const reader: Library['table'] = {
    get: (key, options) => table.get(key, options),
    getMany: (keys, options) => table.getMany(keys, options),
    query: (query) => table.query(query),
    settleTime: table.settleTime,
  }
  const now: Library = { table: reader, media, publicFiles, clock, foldersOf: (companyId) => readFolders({ table: reader }, companyId) }
  const walked: Library = { ...now, foldersOf: remembered(now.foldersOf) }
  const problems: Problem[] = []
  let suspects = new Map<string, { subject: Subject; found: Problem }>()
  const confirm = async () => {
    problems.push(...(await confirmed(now, suspects, pauses)))
    suspects = new Map()
  }
  for await (const subjects of batched(everySubject(checked, deep))) {
    for (const [identity, suspect] of await checkAll(walked, subjects)) suspects.set(identity, suspect)
    if (suspects.size >= MOST_PROBLEMS) await confirm()
    if (problems.length >= MOST_PROBLEMS) return [...problems.slice(0, MOST_PROBLEMS), problem('too_many_problems', {})]
  }
  await confirm()
  return problems
}

/** @returns the problems that every check of the suspects finds */
async function confirmed(library: Library, suspects: Suspects, pauses: readonly number[]): Promise<Iterable<Problem>> {
  // Without the records that the walk read.
  let found = await checkAll(library, subjectsOf(suspects))
  for (const pause of pauses) {
    if (found.size === 0) break
    await library.clock.sleep(pause)
    const again = await checkAll(library, subjectsOf(found))
    found = new Map([...found].filter(([identity]) => again.has(identity)))
  }
  return found.values().map(({ found }) => found)
}

/** Each subject once. */
function subjectsOf(suspects: Suspects): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const { subject } of suspects.values()) subjects.set(`${subject.kind} ${subject.id}`, { kind: subject.kind, id: subject.id })
  return [...subjects.values()]
}

/** @returns all that is wrong with the subjects, in their order */
async function checkAll(library: Library, subjects: readonly Subject[]): Promise<Suspects> {
  const checked = new Map<Subject, Problem[]>()
  await inParallel(subjects, PARALLELISM, async (subject) => void checked.set(subject, await check(library, subject)))
  return new Map(subjects.flatMap((subject) => checked.get(subject)!.map((found) => [identityOf(found), { subject, found }])))
}

/** An item without the attributes of its kind is a problem, and doesn't end the check. */
async function check(library: Library, subject: Subject): Promise<Problem[]> {
  const { kind, id } = subject
  try {
    return await Array.fromAsync(checks[kind](library, subject))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The record of a file is a subject by itself.
    if (kind === 'objects') return []
    return [problem('unreadable_item', { object: id }, ` (${error.message})`)]
  }
}

async function* batched(subjects: AsyncIterable<Subject>): AsyncGenerator<Subject[]> {
  let batch: Subject[] = []
  for await (const subject of subjects) {
    batch.push(subject)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Caches the folders of companies. */
function remembered(read: Library['foldersOf']): Library['foldersOf'] {
  type Read = { folders: StoredFolders | undefined }
  const cache = new RecentlyUsed<Read>(FOLDERS_IN_MEMORY, ({ folders }) => 1 + (folders?.all.length ?? 0))
  const reading = new Map<CompanyId, ReturnType<typeof read>>()
  return async (companyId) => {
    const known = cache.get(String(companyId))
    if (known) return known.folders
    // Files that are checked in parallel share one read.
    const folders = reading.get(companyId) ?? read(companyId)
    reading.set(companyId, folders)
    cache.set(String(companyId), { folders: await folders })
    reading.delete(companyId)
    return folders
  }
}
