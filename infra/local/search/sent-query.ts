import type { FolderScope, SearchQuery, SuggestQuery } from '../../../shared/backends/search/port.ts'
import type { Term } from '../../../shared/vocabulary/term.ts'

/**
 * A query as readers get it: with numbers in place of its lists of folders. A list may have 100,000 ids and is the same in most queries of a
 * company, so a reader gets it once.
 */
export interface SentQuery extends Omit<SearchQuery, 'scope' | 'terms' | 'folderOrder'> {
  scope: { only: number } | { except: number }
  folderOrder?: number
  terms: SentTerm[]
}

/** The same of a query for suggestions. */
export interface SentSuggestQuery extends Omit<SuggestQuery, 'scope'> {
  scope: SentQuery['scope']
}

interface SentTerm extends Omit<Term, 'folders'> {
  folders?: number
}

type FolderList = readonly number[]
type ListOf = (number: number) => FolderList | undefined

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
export function listsOf(query: SearchQuery | SuggestQuery): FolderList[] {
  const listed = 'only' in query.scope ? query.scope.only : query.scope.except
  if (!('terms' in query)) return [listed]
  const { terms, folderOrder } = query
  return [listed, ...(folderOrder ? [folderOrder] : []), ...terms.flatMap(({ folders }) => (folders ? [folders] : []))]
}

export function toSentSuggest({ scope, ...rest }: SuggestQuery): SentSuggestQuery {
  return { ...rest, scope: sentScope(scope) }
}

/** @returns undefined when a list isn't known */
export function fromSentSuggest({ scope, ...rest }: SentSuggestQuery, listOf: ListOf): SuggestQuery | undefined {
  const known = knownScope(scope, listOf)
  return known && { ...rest, scope: known }
}

export function toSent({ scope, terms, folderOrder, ...rest }: SearchQuery): SentQuery {
  return {
    ...rest,
    ...(folderOrder && { folderOrder: numberOf(folderOrder) }),
    scope: sentScope(scope),
    terms: terms.map(({ folders, ...term }) => (folders ? { ...term, folders: numberOf(folders) } : term)),
  }
}

/** @returns undefined when a list isn't known */
export function fromSent({ scope, terms, folderOrder: orderNumber, ...rest }: SentQuery, listOf: ListOf): SearchQuery | undefined {
  const inScope = knownScope(scope, listOf)
  const folderOrder = orderNumber === undefined ? undefined : listOf(orderNumber)
  if (!inScope || (orderNumber !== undefined && !folderOrder)) return undefined
  const known: Term[] = []
  for (const { folders: number, ...term } of terms) {
    const folders = number === undefined ? undefined : listOf(number)
    if (number !== undefined && !folders) return undefined
    known.push(folders ? { ...term, folders } : term)
  }
  return { ...rest, ...(folderOrder && { folderOrder }), scope: inScope, terms: known }
}

function sentScope(scope: FolderScope): SentQuery['scope'] {
  return 'only' in scope ? { only: numberOf(scope.only) } : { except: numberOf(scope.except) }
}

function knownScope(scope: SentQuery['scope'], listOf: ListOf): FolderScope | undefined {
  const listed = listOf('only' in scope ? scope.only : scope.except)
  if (!listed) return undefined
  return 'only' in scope ? { only: listed } : { except: listed }
}
