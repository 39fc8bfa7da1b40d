import type { Clock } from '../../backends/clock/port.ts'
import { ageOf, type CompanyChange, type FileOfCompany, type IndexedFile, type SearchIndexAdmin } from '../../backends/search/port.ts'
import type { TableScanner } from '../../backends/table/port.ts'
import { toMediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { scanSearchChanges, searchChanges } from '../media/search-feed.ts'

/** Files read from the index at a time. */
const PAGE = 1_000

/** A difference between index and table. `ahead`: the index is newer, for example after the table was restored from a backup. */
export interface Difference extends FileOfCompany {
  problem: 'missing' | 'outdated' | 'left over' | 'ahead'
}

/** A file that differed in the first comparison. `age`: that of the table's version; absent if the table has no such file. */
interface Suspect extends FileOfCompany {
  age?: number
}

type Library = Reading & { clock: Clock; scanner: TableScanner; index: SearchIndexAdmin }

/**
 * Compares a search index with the table, both ways. Works while the library is in use: compares differences again after the index has had
 * time to catch up. Files that keep changing are no differences.
 * @param settle milliseconds until the second comparison
 */
export async function verifySearchIndex(library: Library, settle: number): Promise<{ files: number; differences: Difference[] }> {
  const suspects: Suspect[] = []
  let files = 0
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await scanSearchChanges(library, cursor)
    ;({ cursor } = page)
    const documents = page.changes.filter(({ change }) => !('removed' in change))
    files += documents.length
    for (const some of pagesOf(documents)) suspects.push(...(await differing(library.index, some)))
  }
  for (let page = await library.index.list(undefined); page.length > 0; page = await library.index.list(page.at(-1))) {
    const known = await documentsOf(library, page)
    suspects.push(...page.filter((file) => !known.has(fileKey(file))).map(({ companyId, mediaId }) => ({ companyId, mediaId })))
  }
  if (suspects.length > 0) await library.clock.sleep(settle)
  const differences: Difference[] = []
  for (const some of pagesOf(unique(suspects))) differences.push(...(await stillDiffering(library, some)))
  return { files, differences }
}

/**
 * Repairs the index from the table, for the differences of `verifySearchIndex`.
 * @returns irreparable ones: the index is ahead, or the engine refuses the document
 */
export async function repairSearchIndex(library: Library, differences: readonly Difference[]): Promise<Difference[]> {
  const left: Difference[] = differences.filter(({ problem }) => problem === 'ahead')
  for (const some of pagesOf(differences.filter(({ problem }) => problem !== 'ahead'))) {
    const indexed = await indexedOf(library.index, some)
    const documents = await documentsOf(library, some)
    const repairs = some.flatMap((file): CompanyChange[] => {
      const [document, has] = [documents.get(fileKey(file)), indexed.get(fileKey(file))]
      if (document) return [document]
      // Newer than what is indexed.
      return has ? [{ companyId: file.companyId, change: { mediaId: file.mediaId, revision: Math.floor(has.age / 2), removed: true } }] : []
    })
    const refused = new Set(
      (await library.index.index(repairs)).map(({ companyId, change: { mediaId } }) => fileKey({ companyId, mediaId })),
    )
    left.push(...some.filter((file) => refused.has(fileKey(file))))
  }
  return left
}

/** The documents that the index lacks, or has differently. */
async function differing(index: SearchIndexAdmin, documents: readonly CompanyChange[]): Promise<Suspect[]> {
  const files = documents.map(({ companyId, change }) => ({ companyId, mediaId: change.mediaId, age: ageOf(change) }))
  const indexed = await indexedOf(index, files)
  return files.filter((file) => indexed.get(fileKey(file))?.age !== file.age)
}

async function stillDiffering(library: Library, suspects: readonly Suspect[]): Promise<Difference[]> {
  const indexed = await indexedOf(library.index, suspects)
  // The table is read after the index, so it is at least as new.
  const documents = await documentsOf(library, suspects)
  return suspects.flatMap((suspect) => {
    const problem = problemOf(suspect, indexed.get(fileKey(suspect)), documents.get(fileKey(suspect)))
    return problem ? [{ companyId: suspect.companyId, mediaId: suspect.mediaId, problem }] : []
  })
}

/** @param age expected in the index by now @param has the index's version @param document the table's version */
function problemOf({ age }: Suspect, has: IndexedFile | undefined, document: CompanyChange | undefined): Difference['problem'] | undefined {
  if (!document) return age === undefined && has && !has.removed ? 'left over' : undefined
  if (has && has.age > ageOf(document.change)) return 'ahead'
  if (age === undefined) return undefined
  if (!has || has.removed) return 'missing'
  return has.age < age ? 'outdated' : undefined
}

async function indexedOf(index: SearchIndexAdmin, files: readonly FileOfCompany[]): Promise<Map<string, IndexedFile>> {
  return new Map((await index.find(files)).map((file) => [fileKey(file), file]))
}

/** Expected documents of files, by id. */
async function documentsOf(library: Reading, files: readonly FileOfCompany[]): Promise<Map<string, CompanyChange>> {
  const ids = files.map(({ mediaId }) => toMediaId(mediaId))
  const documents = (await searchChanges(library, ids)).filter(({ change }) => !('removed' in change))
  return new Map(documents.map((each) => [fileKey({ companyId: each.companyId, mediaId: each.change.mediaId }), each]))
}

function fileKey({ companyId, mediaId }: FileOfCompany): string {
  return `${companyId} ${mediaId}`
}

/** Keeps the last one of each file. */
function unique(suspects: readonly Suspect[]): Suspect[] {
  return [...new Map(suspects.map((suspect) => [fileKey(suspect), suspect])).values()]
}

function* pagesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += PAGE) yield all.slice(start, start + PAGE)
}
