import { type CheckedParts, Library } from './library.ts'
import { walkObjects } from './objects.ts'
import type { Problem } from './problem.ts'
import { Suspicions } from './suspicions.ts'
import { walkTable } from './table.ts'

/** Milliseconds between looks at what seems wrong: longer in all than an idle job takes to come to its turn. */
const PAUSES = [1_000, 4_000, 10_000]

/**
 * Walks all objects and the whole table and finds what doesn't fit together: orphans, dangling references, wrong counts, jobs that got
 * stuck. The library may be in use meanwhile: what seems wrong is looked at again, with pauses, before it is reported.
 *
 * In memory are the folders of all companies, about two bytes for each file, and a page of what is walked. It reads everything once, and
 * little more where nothing is wrong.
 * @param options.pauses milliseconds between looks at what seems wrong
 * @param options.deep whether each original is read and its MD5 compared
 * @throws ObjectsUnavailable
 */
export async function checkLibrary(
  parts: CheckedParts,
  { pauses = PAUSES, deep = false }: { pauses?: readonly number[]; deep?: boolean } = {},
): Promise<Problem[]> {
  const library = new Library(parts)
  const suspicions = new Suspicions(pauses)
  // Objects first: those of a file are stored before it becomes available, so that a file met after them has all it needs.
  const complete = await walkObjects(library, suspicions, deep)
  await walkTable(library, parts.scanner, complete, suspicions)
  return suspicions.problems()
}
