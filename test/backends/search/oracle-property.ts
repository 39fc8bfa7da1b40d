import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Removal, SearchQuery } from '../../../shared/backends/search/port.ts'
import type { MediaKind } from '../../../shared/vocabulary/media-kind.ts'
import type { OpenEngine } from './contract-library.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'
import { type OracleDocument, type OracleTerm, oracleAnswer } from './oracle.ts'

/** A word as written, with the tokens that it must fold to. */
interface Word {
  text: string
  folded: readonly string[]
  /** With letters as two and as one, where these are others: å, ä, ö, ø, ü, and what stands for them. */
  asTwo?: readonly string[]
  asOne?: readonly string[]
  /** Whether one of these letters is in it. */
  hasLetter?: true
}

/** Few and alike, so that documents and queries meet. */
const WORDS: readonly Word[] = [
  { text: 'sun', folded: ['sun'] },
  { text: 'SUNSET', folded: ['sunset'] },
  { text: 'Sündig', folded: ['sundig'], asTwo: ['suendig'], asOne: ['sündig'], hasLetter: true },
  { text: 'suendig', folded: ['suendig'], asOne: ['sündig'] },
  { text: 'a', folded: ['a'] },
  { text: 'Ærø', folded: ['aero'], asTwo: ['aeroe'], asOne: ['ärö'], hasLetter: true },
  { text: 'aeroplane', folded: ['aeroplane'], asOne: ['äroplane'] },
  { text: 'Straße', folded: ['strasse'] },
  { text: 'été', folded: ['ete'] },
  { text: 'e\u0301te\u0301s', folded: ['etes'] },
  { text: 'red-wi\u00adne', folded: ['red', 'wine'] },
  { text: '2024', folded: ['2024'] },
  { text: '20', folded: ['20'] },
  { text: '東京', folded: ['東', '京'] },
  { text: '京', folded: ['京'] },
  { text: '🎉', folded: ['🎉'] },
  { text: 'wine', folded: ['wine'] },
]

/** Filenames with the tokens of each reading by which they are searched. */
const FILENAMES: readonly (readonly [string, readonly string[]])[] = [
  ['', []],
  ['sun_20.jpg', ['sun 20 jpg']],
  ['redWine2024.JPG', ['redwine2024 jpg', 'red wine 2024 jpg']],
  ['SUNSet.png', ['sunset png', 'sun set png']],
]

const value = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 })
type Value = typeof value extends fc.Arbitrary<infer T> ? T : never
const written = (words: Value) => words.map(({ text }) => text).join(' ')
const folded = (words: Value) => words.flatMap((word) => word.folded)
const asOne = (words: Value) => words.flatMap((word) => word.asOne ?? word.folded)
const asTwo = (words: Value) => words.flatMap((word) => word.asTwo ?? word.folded)
/** The readings by which values are found. */
const found = (values: readonly Value[]) =>
  values.flatMap((words) => (words.some(({ hasLetter }) => hasLetter) ? [folded(words), asOne(words)] : [folded(words)]))
/** Of a part of a word without these letters. */
const partAsOne = (part: string) => part.replaceAll('ae', 'ä').replaceAll('oe', 'ö').replaceAll('ue', 'ü')

const day = fc.constantFrom(null, '2024-01-31', '2024-02-29', '2025-12-31')
const kind = fc.constantFrom<MediaKind>('image', 'video', 'vector', 'generic')
const folder = fc.integer({ min: 1, max: 6 })
const side = fc.constantFrom(null, 100, 200, 300)
const time = fc.integer({ min: 1, max: 12 })

const documentWithTexts = fc
  .record({
    mediaId: fc.integer({ min: 1, max: 25 }),
    revision: fc.integer({ min: 1, max: 4 }),
    folders: fc.uniqueArray(folder, { minLength: 1, maxLength: 3 }),
    kind,
    times: fc.tuple(time, fc.option(time), time),
    sides: fc.tuple(side, side),
    place: fc.option(fc.record({ latitude: fc.integer({ min: -90, max: 90 }), longitude: fc.integer({ min: -180, max: 180 }) })),
    expires: day,
    title: fc.array(value, { maxLength: 3 }),
    keywords: fc.array(value, { maxLength: 3 }),
    description: fc.array(value, { maxLength: 2 }),
    suggested: fc.array(value, { maxLength: 2 }),
    byline: value,
    filename: fc.constantFrom(...FILENAMES),
  })
  .map((made): OracleDocument => {
    const { times, sides, place, title, keywords, description, suggested, byline, filename, ...rest } = made
    return {
      document: {
        ...rest,
        // As a rule, a file's import time never changes.
        created: times[0] === 1 ? times[2] : rest.mediaId % 5,
        cameraCreated: times[1],
        modified: times[2],
        width: sides[0],
        height: sides[1],
        latitude: place?.latitude ?? null,
        longitude: place?.longitude ?? null,
        title: title.map(written),
        description: description.map(written),
        keywords: keywords.map(written),
        suggestedKeywords: suggested.map(written),
        byline: written(byline),
        copyright: '',
        filename: filename[0],
        bytes: 1 + (rest.mediaId % 7),
      },
      texts: {
        title: found(title),
        keywords: found(keywords),
        filename: filename[1].map((reading) => reading.split(' ')),
        elsewhere: found([...description, ...suggested, byline]),
      },
    }
  })

/**
 * Hundreds of further files, of which so many in a row lie in one folder and every third in a second one: every way to a page is gone, also
 * to those that lie far behind all others.
 */
const many = fc.option(fc.constantFrom(1, 7, 60, 200), { freq: 2 }).map((run) =>
  Array.from({ length: run === null ? 0 : 400 }, (_, n): OracleDocument => {
    const folders = [1 + (Math.floor(n / run!) % 6), ...(n % 3 === 0 ? [1 + ((n * 7) % 6)] : [])]
    const document = aDocument({ mediaId: 100 + n, created: n >> 1, folders: [...new Set(folders)] })
    return { document, texts: { title: [], keywords: [], filename: [], elsewhere: [] } }
  }),
)

const removal = fc.record({
  mediaId: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 100, max: 500 })),
  revision: fc.integer({ min: 1, max: 5 }),
  removed: fc.constant(true as const),
})

/** Words of a term: whole ones, or parts of one, side by side. */
const wanted = fc.oneof(
  value
    .filter((words) => words.length > 0)
    .map((words) => ({ words: words.map(({ text }) => text), readings: [folded(words), asTwo(words), asOne(words)] })),
  fc
    .tuple(fc.constantFrom(...WORDS), fc.nat(6), fc.integer({ min: 1, max: 6 }))
    .map(([word, start, length]) =>
      Array.from(word.folded.join(' '))
        .slice(start, start + length)
        .join('')
        .trim(),
    )
    .filter((part) => part !== '')
    .map((part) => ({ words: part.split(' '), readings: [part.split(' '), partAsOne(part).split(' ')] })),
)

const term: fc.Arbitrary<OracleTerm> = fc
  .record(
    {
      wanted,
      matching: fc.constantFrom('prefix', 'word', 'infix' as const),
      excluded: fc.boolean(),
      folders: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
      mediaId: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: ['wanted', 'matching', 'excluded'] },
  )
  .map(({ wanted: { words, readings }, ...rest }) => ({ ...rest, words, readings }))

/** Folders of a query; as a long list, too, of which most are empty: engines keep such lists. */
const folders = fc
  .tuple(fc.uniqueArray(folder, { maxLength: 5 }), fc.boolean())
  .map(([some, isLong]) => (isLong ? [...some, ...Array.from({ length: 600 }, (_, n) => 1_000 + n)] : some))
const scope = fc.oneof(
  folders.map((only) => ({ only })),
  folders.map((except) => ({ except })),
)

const filters = fc.record(
  {
    mediaIds: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }),
    kinds: fc.uniqueArray(kind, { minLength: 1, maxLength: 3 }),
    date: fc.record(
      { field: fc.constantFrom('created', 'cameraCreated', 'modified' as const), min: time, max: time },
      { requiredKeys: ['field'] },
    ),
    orientation: fc.constantFrom('horizontal', 'vertical' as const),
    minWidth: fc.constantFrom(100, 200),
    minHeight: fc.constantFrom(100, 200),
    minSides: fc.constant({ long: 300, short: 200 }),
    minExpires: fc.constant('2024-02-01'),
    maxExpires: fc.constant('2024-12-31'),
    notExpiredOn: fc.constant('2024-02-29'),
    near: fc.constant({ latitude: 10, longitude: 10 }),
  },
  { requiredKeys: [] },
)

/** Most queries have few filters: with many, nothing is left to find. */
const fewFilters = fc
  .tuple(filters, fc.subarray(['mediaIds', 'kinds', 'date', 'orientation', 'minWidth', 'notExpiredOn', 'near'], { maxLength: 2 }))
  .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))) as typeof all)

const query = fc.record({
  terms: fc.array(term, { maxLength: 3 }),
  scope,
  filters: fc.oneof(fewFilters, filters),
  direction: fc.constantFrom('asc', 'desc' as const),
  offset: fc.constantFrom(0, 0, 1, 5, 150),
  limit: fc.constantFrom(0, 2, 100),
  order: fc.constantFrom('created', 'created', 'cameraCreated', 'filename', 'size', 'kind', 'expires', 'folder' as const),
  folderOrder: fc.constantFrom([2, 5, 0, 1, 0, 6, 0, 3, 0], [6, 5, 4, 3, 2, 1, 0], [4, 0]),
  withLayout: fc.boolean(),
})

/** What is left when all changes are applied by revision, a removal after the document of the same revision. */
function applied(changes: readonly (OracleDocument | Removal)[]): OracleDocument[] {
  const latest = new Map<number, { age: number; one: OracleDocument | Removal }>()
  for (const one of changes) {
    const { mediaId, revision } = 'document' in one ? one.document : one
    const age = 'document' in one ? revision : revision + 0.5
    if (age > (latest.get(mediaId)?.age ?? 0)) latest.set(mediaId, { age, one })
  }
  return [...latest.values()].flatMap(({ one }) => ('document' in one ? [one] : []))
}

const change = fc.oneof({ weight: 5, arbitrary: documentWithTexts }, { weight: 1, arbitrary: removal })

/** Changes and the queries after them, several times. */
const rounds = fc.array(fc.tuple(fc.array(change, { minLength: 8, maxLength: 30 }), fc.array(query, { minLength: 3, maxLength: 6 })), {
  minLength: 1,
  maxLength: 3,
})

/**
 * Has an engine answer random queries about random libraries, each of a company of its own, and compares it with a look at every document.
 * @param runs number of libraries
 */
export async function compareWithOracle(open: OpenEngine, runs: number): Promise<void> {
  const feed = new MemoryFeed({ page: 17, overlap: 3 })
  const { engine, close } = await open(feed)
  let company = 0
  const property = fc.asyncProperty(many, rounds, async (further, all) => {
    const companyId = ++company
    const committed: (OracleDocument | Removal)[] = [...further]
    feed.commit(companyId, ...further.map(({ document }) => document))
    for (const [changes, queries] of all) {
      committed.push(...changes)
      feed.commit(companyId, ...changes.map((one) => ('document' in one ? one.document : one)))
      for (const { terms, filters, ...rest } of queries) {
        const asked: SearchQuery = { ...rest, ...filters, terms }
        const expected = oracleAnswer(applied(committed), asked, terms)
        assert.deepEqual(await engine.search(companyId, asked), expected)
        const ranked = await engine.search(companyId, { ...asked, order: 'relevance', offset: 0, limit: 1_000 })
        assert.deepEqual(
          ranked.mediaIds.toSorted(),
          oracleAnswer(applied(committed), { ...asked, offset: 0, limit: 1_000 }, terms).mediaIds.toSorted(),
        )
      }
    }
  })
  try {
    await fc.assert(property, { numRuns: runs })
  } finally {
    await close()
  }
}
