import type { API, Types } from '@opensearch-project/opensearch'
import type { SearchQuery } from '../port.ts'
import { foldersIn } from './stored-document.ts'
import { anyOf, oneOf } from './term-query.ts'

type Hit = Types.Core_Search.Hit

/** Placements per request. */
const AT_ONCE = 10_000

/** Files of folders of one name. */
interface Named {
  /** Place of the name in the order; Infinity where no folder of the file has one. */
  rank: number
  /** The placements of the files (index-definition.ts). */
  placements: string[]
  files: number
}

/** A part of a page: of one name, or of several whose files come by one request. */
export interface Run {
  placements: string[]
  ranks: ReadonlyMap<string, number>
  isOneName: boolean
  /** How many of the files come before the page, and how many are on it. */
  offset: number
  limit: number
  files: number
}

/** The body of a request for a page of the placements of the files that a query finds. @param body of the query itself */
export function placementsRequest(body: API.Search_RequestBody, after: unknown): API.Search_RequestBody {
  const sources = [{ placement: { terms: { field: 'placement' } } }]
  const composite = { size: AT_ONCE, sources, ...(after ? { after } : {}) }
  return { size: 0, track_total_hits: false, query: body.query!, aggregations: { placements: { composite } as never } }
}

/** Ranks of folders by the names of an order (`SearchQuery.folderOrder`). */
function ranksOf(order: readonly number[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>()
  let rank = 0
  for (const folder of order) {
    if (folder === 0) rank++
    else ranks.set(folder, rank)
  }
  return ranks
}

/**
 * The parts of a page in the order of folders' names.
 * @param counts files by their placement @param most files that one request gives
 */
export function runsOf(
  counts: readonly (readonly [placement: string, files: number])[],
  { folderOrder = [], direction, limit, offset }: SearchQuery,
  most: number,
): Run[] {
  const ranks = ranksOf(folderOrder)
  const rankOf = (placement: string) => {
    const first = foldersIn(placement).find((folder) => ranks.has(folder))
    return first === undefined ? Infinity : ranks.get(first)!
  }
  const names = new Map<number, Named>()
  const rankOfPlacement = new Map<string, number>()
  for (const [placement, files] of counts) {
    const rank = rankOf(placement)
    rankOfPlacement.set(placement, rank)
    const named = names.get(rank) ?? { rank, placements: [], files: 0 }
    named.placements.push(placement)
    named.files += files
    names.set(rank, named)
  }
  const inOrder = [...names.values()].sort((a, b) => comparedNames(a.rank, b.rank, direction))
  const runs: Run[] = []
  let before = 0
  for (const { placements, files } of inOrder) {
    const [from, to] = [Math.max(offset, before), Math.min(offset + limit, before + files)]
    const skipped = from - before
    before += files
    if (from >= to) continue
    const last = runs.at(-1)
    if (last && last.files + files <= most) {
      last.placements.push(...placements)
      Object.assign(last, { isOneName: false, files: last.files + files, limit: last.limit + to - from })
    } else runs.push({ placements: [...placements], ranks: rankOfPlacement, isOneName: true, offset: skipped, limit: to - from, files })
  }
  return runs
}

/** The query of a body for files of some placements alone, of which each hit tells. */
export function inPlacements(body: API.Search_RequestBody, placements: readonly string[]): API.Search_RequestBody {
  const filter = [body.query!, anyOf(oneOf('placement', placements))]
  return { ...body, query: { bool: { filter } }, docvalue_fields: [...(body.docvalue_fields ?? []), 'placement'] }
}

/** Hits of several names in the order of these; those of one stay as they are. */
export function byName(hits: readonly Hit[], { ranks }: Run, direction: SearchQuery['direction']): Hit[] {
  const rankOf = ({ fields = {} }: Hit) => ranks.get((fields.placement as string[])[0]!) ?? Infinity
  return hits.toSorted((a, b) => comparedNames(rankOf(a), rankOf(b), direction))
}

/** Without a name is last in both directions. */
function comparedNames(a: number, b: number, direction: SearchQuery['direction']): number {
  if (a === b) return 0
  if (a === Infinity || b === Infinity) return a === Infinity ? 1 : -1
  return direction === 'desc' ? b - a : a - b
}
