import type { SearchQuery } from '../../../shared/backends/search/port.ts'
import type { Term } from '../../../shared/vocabulary/term.ts'

/**
 * A query as readers get it: with numbers in place of its lists of folders. A list may have 100,000 ids and is the same in most queries of a
 * company, so a reader gets it once.
 */
export interface SentQuery extends Omit<SearchQuery, 'scope' | 'terms'> {
  scope: { only: number } | { except: number }
  terms: SentTerm[]
}

interface SentTerm extends Omit<Term, 'folders'> {
  folders?: number
}

type FolderList = readonly number[]

/** Lists are told apart by identity: whoever asks keeps them as long as no folder changes. */
const numbers = new WeakMap<FolderList, number>()
let last = 0

/** The number of a list, the same as long as the process runs. */
export function numberOf(list: FolderList): number {
  const number = numbers.get(list) ?? ++last
  numbers.set(list, number)
  return number
}

/** The lists of a query. */
export function listsOf({ scope, terms }: SearchQuery): FolderList[] {
  return ['only' in scope ? scope.only : scope.except, ...terms.flatMap(({ folders }) => (folders ? [folders] : []))]
}

export function toSent({ scope, terms, ...rest }: SearchQuery): SentQuery {
  return {
    ...rest,
    scope: 'only' in scope ? { only: numberOf(scope.only) } : { except: numberOf(scope.except) },
    terms: terms.map(({ folders, ...term }) => (folders ? { ...term, folders: numberOf(folders) } : term)),
  }
}

/** @returns undefined when a list isn't known */
export function fromSent(
  { scope, terms, ...rest }: SentQuery,
  listOf: (number: number) => FolderList | undefined,
): SearchQuery | undefined {
  const listed = listOf('only' in scope ? scope.only : scope.except)
  if (!listed) return undefined
  const known: Term[] = []
  for (const { folders: number, ...term } of terms) {
    const folders = number === undefined ? undefined : listOf(number)
    if (number !== undefined && !folders) return undefined
    known.push(folders ? { ...term, folders } : term)
  }
  return { ...rest, scope: 'only' in scope ? { only: listed } : { except: listed }, terms: known }
}
