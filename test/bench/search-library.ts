import type { SearchDocument } from '../../shared/backends/search/port.ts'
import type { MediaKind } from '../../shared/vocabulary/media-kind.ts'

/** Day zero of the generated libraries, and the span over which their files were imported. */
const FIRST_IMPORT = Date.UTC(2020, 0, 1)
const YEARS = 5
const FOLDERS = 2_000
const VOCABULARY = 60_000

/** Deterministic pseudo-random numbers in [0, 1) (mulberry32), so that every run measures the same library. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Words of one to four syllables, the more frequent the shorter, as in natural languages; the n-th is drawn with a probability of about
 * 1/n (Zipf).
 */
function vocabulary(next: () => number): string[] {
  const onsets = ['b', 'd', 'f', 'g', 'h', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'st', 'tr', 'sh', 'ch', 'gr', '']
  const vowels = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou']
  const codas = ['', '', 'n', 'r', 's', 't', 'ng', 'l']
  const pick = (from: string[]) => from[Math.floor(next() * from.length)] ?? ''
  const words = new Set<string>()
  while (words.size < VOCABULARY) {
    const syllables = words.size < 50 ? 1 : words.size < 500 ? 2 : 2 + Math.floor(next() * 3)
    const word = Array.from({ length: syllables }, () => pick(onsets) + pick(vowels) + pick(codas)).join('')
    if (word.length > 2) words.add(word)
  }
  return [...words]
}

/** Ids without an order, as the service makes them: all different. */
export const generatedId = (n: number): number => 1 + ((n * 1_664_525) % 2_147_483_629)

/** A generated library of `size` files, oldest first. */
export function* library(size: number): Generator<SearchDocument> {
  const next = random(size)
  const words = wordsByFrequency()
  const word = () => words[Math.floor(VOCABULARY ** next()) - 1] ?? 'sun'
  const some = (least: number, most: number) => Array.from({ length: least + Math.floor(next() * (most - least + 1)) }, word)
  const kinds: MediaKind[] = ['image', 'image', 'image', 'image', 'image', 'image', 'image', 'video', 'vector', 'generic']
  for (let n = 0; n < size; n++) {
    const created = FIRST_IMPORT + Math.floor((n * YEARS * 365 * 86_400_000) / size)
    const folder = 1 + Math.floor(FOLDERS * next() ** 2)
    const landscape = next() < 0.7
    yield {
      mediaId: generatedId(n),
      revision: 1,
      folders: next() < 0.1 ? [folder, FOLDERS + 1 + Math.floor(next() * 100)] : [folder],
      kind: kinds[Math.floor(next() * kinds.length)] ?? 'image',
      created,
      cameraCreated: next() < 0.8 ? created - Math.floor(next() * 30 * 86_400_000) : null,
      modified: created,
      width: landscape ? 6000 : 4000,
      height: landscape ? 4000 : 6000,
      latitude: next() < 0.3 ? next() * 170 - 85 : null,
      longitude: next() < 0.3 ? next() * 360 - 180 : null,
      expires: next() < 0.05 ? '2026-06-30' : null,
      title: [some(3, 7).join(' ')],
      description: [some(8, 25).join(' ')],
      keywords: some(4, 12),
      suggestedKeywords: some(0, 5),
      byline: some(2, 2).join(' '),
      copyright: `${word()} agency`,
      filename: `IMG_${String(n % 10_000).padStart(4, '0')}-${word()}.jpg`,
      bytes: 1 + ((n * 48_271) % 30_000_000),
    }
  }
}

/** The vocabulary, the most frequent word first. */
export function wordsByFrequency(): string[] {
  return vocabulary(random(1))
}
