import type { SearchQuery } from '../../shared/backends/search/port.ts'
import type { Term } from '../../shared/vocabulary/term.ts'
import { keptPath } from '../support/kept-files.ts'
import type { Row } from './report.ts'
import { COMPANY, searchIndex } from './search-index.ts'
import { library, wordsByFrequency } from './search-library.ts'
import { type PeerQuery, SearchPeer } from './search-peer.ts'
import { median } from './timing.ts'

const RATIO = 1.3
const BYTES = 1_200
const FILES_A_SECOND = 8_000

/** A kind of query, as the port and as the peer take it. */
interface Kind {
  kind: string
  query: SearchQuery
  peer: PeerQuery
}

/**
 * The search engine through its port, beside FTS5 by itself on the same generated library: an exact total and a page of 24, the newest first.
 * The indexes are kept for the next run.
 * @param options.rounds how often each kind is asked, in turns
 */
export async function run({ files, rounds }: { files: number; rounds: number }): Promise<Row[]> {
  await using index = await searchIndex(files)
  using peer = SearchPeer.of(keptPath(`search-peer-${files}.sqlite`), () => library(files))
  const rows: Row[] = [
    { what: 'index', value: index.bytesPerFile, unit: 'bytes/file', atMost: BYTES },
    { what: 'index of FTS5', value: peer.bytes / files, unit: 'bytes/file' },
  ]
  if (index.filesIndexedPerSecond !== undefined) {
    rows.push({ what: 'indexing', value: index.filesIndexedPerSecond, unit: 'files/s', atLeast: FILES_A_SECOND })
  }
  if (peer.filesIndexedPerSecond !== undefined) rows.push({ what: 'indexing of FTS5', value: peer.filesIndexedPerSecond, unit: 'files/s' })
  for (const { kind, query, peer: asked } of kinds()) {
    const [ours, theirs]: [number[], number[]] = [[], []]
    let hits = 0
    for (let round = 0; round < rounds; round++) {
      // A new list of folders each time: engines may know one that they have seen before.
      const scope = 'only' in query.scope ? { only: [...query.scope.only] } : query.scope
      const started = performance.now()
      const { total } = await index.engine.search(COMPANY, { ...query, scope })
      const between = performance.now()
      hits = peer.search(asked)
      theirs.push(performance.now() - between)
      ours.push(between - started)
      if (total !== hits) throw new Error(`${kind}: ${total} hits by the port, ${hits} by FTS5`)
    }
    rows.push({ what: `${kind} (${hits} hits), p50`, value: median(ours), unit: 'ms' })
    rows.push({ what: `${kind}, FTS5, p50`, value: median(theirs), unit: 'ms' })
    rows.push({ what: `${kind}, against FTS5`, value: median(ours) / median(theirs), unit: 'x', atMost: RATIO })
  }
  return rows
}

function kinds(): Kind[] {
  const words = wordsByFrequency()
  const [mid, other, third, start] = [words[149]!, words[299]!, words[7]!, words[149]!.slice(0, 3)]
  const [first, second] = [words[1]!, words[4]!]
  // The port finds words that begin with it too, in all fields. Of this one there are none.
  const inner = words
    .slice(199)
    .map((word) => word.slice(1, 5))
    .find((part) => part.length === 4 && !words.some((word) => word.startsWith(part)))!
  // Found with an o and with oe.
  const twoSpellings = words.slice(149).find((word) => /o(?!u)/.test(word))!
  const folders = Array.from({ length: 200 }, (_, n) => 7 * n + 1)
  const prefix = (...terms: string[]): PeerQuery => ({
    match: { table: 'words', expression: terms.map((term) => `"${term}"*`).join(' AND ') },
  })
  const whole = (...terms: string[]): PeerQuery => ({
    match: { table: 'words', expression: terms.map((term) => `"${term}"`).join(' AND ') },
  })
  const infix = (term: string): PeerQuery => ({ match: { table: 'grams', expression: `"${term}"` } })
  const starting = (...terms: string[]) => terms.map((word): Term => ({ words: [word], matching: 'prefix', excluded: false }))
  const exactly = (...terms: string[]) => starting(...terms).map((term): Term => ({ ...term, matching: 'word' }))
  const kind = (name: string, terms: Term[], peer: PeerQuery): Kind => {
    const { folders: only, kind: image, offset = 0 } = peer
    const scope = only ? { only } : { except: [] }
    const rest = { scope, order: 'created', direction: 'desc', limit: 24, offset } as const
    return { kind: name, query: { terms, ...rest, ...(image && { kinds: [image] }) }, peer }
  }
  return [
    kind('mid AND mid', starting(mid, other), prefix(mid, other)),
    kind('common AND common', starting(first, second), prefix(first, second)),
    kind('common AND common, whole words', exactly(first, second), whole(first, second)),
    kind('a term in a third of all files', starting(third), prefix(third)),
    kind('3-letter prefix', starting(start), prefix(start)),
    kind('a word of two spellings', starting(twoSpellings.replace('o', 'ö')), {
      match: { table: 'words', expression: `"${twoSpellings}"* OR "${twoSpellings.replace('o', 'oe')}"*` },
    }),
    kind('infix of 4', [{ words: [inner], matching: 'infix', excluded: false }], infix(inner)),
    kind('200 folders + mid term', starting(mid), { ...prefix(mid), folders }),
    kind('200 folders + common term', starting(third), { ...prefix(third), folders }),
    kind('browsing 200 folders', [], { folders }),
    kind('common term, images only', starting(third), { ...prefix(third), kind: 'image' }),
    kind('offset 9,000 of a common term', starting(first), { ...prefix(first), offset: 9_000 }),
  ]
}
