import { setTimeout as pause } from 'node:timers/promises'
import { ageOf, type CompanyChange, type IndexedFile, type SearchIndexAdmin } from '../../backends/search/port.ts'
import type { TableScanner } from '../../backends/table/port.ts'
import type { Reading } from '../library.ts'
import { scanSearchChanges, searchChanges } from '../media/search-document.ts'
import { toMediaId } from '../vocabulary/ids.ts'

/** Files that the index is asked for at once. */
const PAGE = 1_000

/** Where the index differs from the table. `ahead`: its document is newer than the file, as after a table was restored from a backup. */
export interface Difference extends Omit<IndexedFile, 'age'> {
  problem: 'missing' | 'outdated' | 'left over' | 'ahead'
}

type Library = Reading & { scanner: TableScanner; index: SearchIndexAdmin }

/**
 * Compares a search index with the table, both ways. The library may be in use: what differs is looked at again after a while, in which the index
 * follows.
 * @param settle milliseconds of that while
 */
export async function verifySearchIndex(library: Library, settle: number): Promise<{ files: number; differences: Difference[] }> {
  const suspects: Omit<IndexedFile, 'age'>[] = []
  let files = 0
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await scanSearchChanges(library, cursor)
    ;({ cursor } = page)
    const documents = page.changes.filter(({ change }) => !('removed' in change))
    files += documents.length
    for (const some of pagesOf(documents)) suspects.push(...(await differencesOf(library.index, some)))
  }
  for (let page = await library.index.list(undefined); page.length > 0; page = await library.index.list(page.at(-1))) {
    const found = new Map((await read(library, page)).map((each) => [each.change.mediaId, each]))
    suspects.push(...page.filter((file) => isLeftOver(file, found.get(file.mediaId))))
  }
  if (suspects.length > 0) await pause(settle)
  const differences: Difference[] = []
  for (const some of pagesOf(unique(suspects))) differences.push(...(await differencesNow(library, some)))
  return { files, differences }
}

/**
 * Takes what the table says into the index, for files that `verifySearchIndex` has found.
 * @returns those that can't be repaired: of what is ahead, and of what the engine refuses
 */
export async function repairSearchIndex(library: Library, differences: readonly Difference[]): Promise<Difference[]> {
  const left: Difference[] = differences.filter(({ problem }) => problem === 'ahead')
  for (const some of pagesOf(differences.filter(({ problem }) => problem !== 'ahead'))) {
    const known = new Map((await library.index.find(some)).map((file) => [file.mediaId, file]))
    const changes = new Map((await read(library, some)).map((each) => [each.change.mediaId, each]))
    const repairs = some.flatMap(({ problem, companyId, mediaId }): CompanyChange[] => {
      const change = changes.get(mediaId)
      if (problem !== 'left over') return change ? [change] : []
      const { age } = known.get(mediaId) ?? { age: 0 }
      // Newer than what the index has, whatever it is.
      return [{ companyId, change: { mediaId, revision: Math.floor(age / 2), removed: true } }]
    })
    const refused = new Set((await library.index.index(repairs)).map(({ change }) => change.mediaId))
    left.push(...some.filter(({ mediaId }) => refused.has(mediaId)))
  }
  return left
}

async function differencesNow(library: Library, files: readonly Omit<IndexedFile, 'age'>[]): Promise<Difference[]> {
  const changes = await read(library, files)
  const found = new Map(changes.map((each) => [each.change.mediaId, each]))
  const known = await library.index.find(files)
  const leftOver = known.filter((file) => isLeftOver(file, found.get(file.mediaId)))
  return [
    ...(await differencesOf(
      library.index,
      changes.filter(({ change }) => !('removed' in change)),
    )),
    ...leftOver.map(({ companyId, mediaId }) => ({ companyId, mediaId, problem: 'left over' as const })),
  ]
}

/** Where the index differs from documents. */
async function differencesOf(index: SearchIndexAdmin, documents: readonly CompanyChange[]): Promise<Difference[]> {
  const files = documents.map(({ companyId, change }) => ({ companyId, mediaId: change.mediaId, age: ageOf(change) }))
  const known = new Map((await index.find(files)).map(({ mediaId, age }) => [mediaId, age]))
  return files.flatMap(({ companyId, mediaId, age }): Difference[] => {
    const has = known.get(mediaId)
    if (has === age) return []
    return [{ companyId, mediaId, problem: has === undefined ? 'missing' : has < age ? 'outdated' : 'ahead' }]
  })
}

function isLeftOver({ companyId }: IndexedFile, known: CompanyChange | undefined): boolean {
  return known === undefined || known.companyId !== companyId || 'removed' in known.change
}

function read(library: Reading, files: readonly Pick<IndexedFile, 'mediaId'>[]): Promise<CompanyChange[]> {
  return searchChanges(
    library,
    files.map(({ mediaId }) => toMediaId(mediaId)),
  )
}

function unique(files: readonly Omit<IndexedFile, 'age'>[]): Omit<IndexedFile, 'age'>[] {
  return [...new Map(files.map((file) => [`${file.companyId} ${file.mediaId}`, file])).values()]
}

function* pagesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += PAGE) yield all.slice(start, start + PAGE)
}
