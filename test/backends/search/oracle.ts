import type { Layout, SearchDocument, SearchQuery, SearchResult } from '../../../shared/backends/search/port.ts'
import type { Term } from '../../../shared/vocabulary/term.ts'

/** Folded tokens of each value of each field, in each reading; what an oracle believes instead of folding texts itself. */
export interface OracleTexts {
  title: string[][]
  keywords: string[][]
  filename: string[][]
  elsewhere: string[][]
}

export interface OracleDocument {
  document: SearchDocument
  texts: OracleTexts
}

/** A term with its folded tokens, in each reading. */
export type OracleTerm = Term & { readings: string[][] }

/** Answers a query the long way: looks at every document. Orders by anything but relevance and distance. */
export function oracleAnswer(all: readonly OracleDocument[], query: SearchQuery, terms: readonly OracleTerm[]): SearchResult {
  const found = all
    .filter(({ document }) => inScope(document, query) && passesFilters(document, query))
    .filter((one) => terms.every((term) => matches(one, term) !== term.excluded))
    .map(({ document }) => document)
    .sort(inOrder(query))
  const page = found.slice(query.offset, query.offset + query.limit)
  const mediaIds = page.map(({ mediaId }) => mediaId)
  return { total: found.length, mediaIds, ...(query.withLayout && { layout: layoutOf(page, query) }) }
}

function inOrder({ order, direction, folderOrder = [] }: SearchQuery): (a: SearchDocument, b: SearchDocument) => number {
  const turn = direction === 'desc' ? -1 : 1
  const names = folderOrder
    .join(' ')
    .split(' 0')
    .map((name) => name.trim().split(' ').map(Number))
  const nameOfFolder = ({ folders }: SearchDocument) => {
    const ofFolders = folders.map((folder) => names.findIndex((name) => name.includes(folder)))
    return ofFolders.find((name) => name >= 0) ?? null
  }
  return (a, b) => {
    if (order === 'filename') return turn * (Buffer.compare(nameOf(a), nameOf(b)) || a.mediaId - b.mediaId)
    if (order === 'kind') return turn * (a.kind === b.kind ? a.mediaId - b.mediaId : a.kind < b.kind ? -1 : 1)
    if (order === 'expires') return byValue(a.expires, b.expires, turn) || turn * (a.mediaId - b.mediaId)
    if (order === 'folder') return byValue(nameOfFolder(a), nameOfFolder(b), turn) || turn * (a.mediaId - b.mediaId)
    if (order === 'size') return turn * (a.bytes - b.bytes || a.mediaId - b.mediaId)
    const byCreation = turn * (a.created - b.created || a.mediaId - b.mediaId)
    if (order !== 'cameraCreated') return byCreation
    if (a.cameraCreated === null || b.cameraCreated === null)
      return Number(a.cameraCreated === null) - Number(b.cameraCreated === null) || byCreation
    return turn * (a.cameraCreated - b.cameraCreated) || byCreation
  }
}

/** Without a value is last either way. */
function byValue<Value extends string | number>(a: Value | null, b: Value | null, turn: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a === b ? 0 : turn * (a < b ? -1 : 1)
}

/** Of names that are easy to fold. */
const nameOf = ({ filename }: SearchDocument): Buffer => Buffer.from(filename.toLowerCase())

function layoutOf(page: readonly SearchDocument[], { order }: SearchQuery): Layout {
  const dates = page.flatMap((file) => {
    if (order === 'expires') return file.expires === null ? [] : Date.parse(file.expires)
    return order === 'created' || order === 'cameraCreated' ? (file[order] ?? []) : []
  })
  const days = Map.groupBy(dates, (time) => new Date(time).toISOString().slice(0, 10))
  return {
    ratios: page.map(({ width, height }) => (width && height ? Math.round((width / height) * 100) : 0)),
    days: Array.from(days, ([day, files]) => [day, files.length]),
  }
}

function inScope({ folders }: SearchDocument, { scope }: SearchQuery): boolean {
  return folders.some((folder) => ('only' in scope ? scope.only.includes(folder) : !scope.except.includes(folder)))
}

function matches({ document, texts }: OracleDocument, term: OracleTerm): boolean {
  if (term.mediaId === document.mediaId || document.folders.some((folder) => term.folders?.includes(folder))) return true
  const inside = [...texts.title, ...texts.keywords, ...texts.filename]
  return term.readings.some((tokens, n) => {
    const phrase = tokens.join(' ')
    if (n > 0 && term.matching === 'infix' && phrase.length === 1) return false
    if (term.matching === 'infix' && inside.some((value) => value.join(' ').includes(phrase))) return true
    // Tokens of text and phrase hold no `|`: a phrase starts and, for whole words, ends at one.
    const wanted = `|${tokens.join('|')}${term.matching === 'word' ? '|' : ''}`
    return [...inside, ...texts.elsewhere].some((value) => `|${value.join('|')}|`.includes(wanted))
  })
}

function passesFilters(document: SearchDocument, query: SearchQuery): boolean {
  const { width, height, expires } = document
  const { mediaIds, kinds, date, orientation, minWidth, minHeight, minSides, minExpires, maxExpires, notExpiredOn } = query
  if (mediaIds && !mediaIds.includes(document.mediaId)) return false
  if (kinds && !kinds.includes(document.kind)) return false
  if (date) {
    const time = document[date.field]
    if (time === null || time < (date.min ?? -Infinity) || time > (date.max ?? Infinity)) return false
  }
  const sides = width === null || height === null ? undefined : { width, height }
  if (orientation && !(sides && (orientation === 'horizontal' ? sides.width > sides.height : sides.height > sides.width))) return false
  if (minWidth !== undefined && (width ?? -1) < minWidth) return false
  if (minHeight !== undefined && (height ?? -1) < minHeight) return false
  if (minSides) {
    if (!sides) return false
    const [short, long] = [Math.min(sides.width, sides.height), Math.max(sides.width, sides.height)]
    if (short < minSides.short || long < minSides.long) return false
  }
  if (minExpires && !(expires && expires >= minExpires)) return false
  if (maxExpires && !(expires && expires <= maxExpires)) return false
  if (notExpiredOn && expires && expires < notExpiredOn) return false
  return true
}
