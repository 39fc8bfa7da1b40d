import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { KeywordsByLanguage, TextByLanguage } from '../../../functions/media/schema.ts'
import { check } from '../../../shared/http/declaration/problems.ts'
import { hasNoControls, onOneLine } from '../../../shared/library/names.ts'
import type { Entry } from '../../../shared/library/stock/items.ts'
import { metadataLimits } from '../../../shared/vocabulary/metadata-limits.ts'
import { jsonRows } from '../transfer/json-rows.ts'
import { entryFile, FileRefused } from './entry-file.ts'

/** Largest manifest, in bytes, and most entries. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_ENTRIES = 100_000

/** A manifest as it was read. */
export interface Manifest {
  /** Valid entries, with their numbers from 1. */
  entries: ReadonlyMap<Entry, number>
  problems: ManifestProblems
}

/**
 * Reads a manifest: JSON lines, each an item, with their files beside it. Finds all problems of its entries.
 * @throws Error in a sentence for files that are no manifest, or too large
 */
export async function readManifest(path: string): Promise<Manifest> {
  try {
    return await read(path)
  } catch (error) {
    throw new Error(`The manifest ${path} can't be read: ${(error as Error).message}`, { cause: error })
  }
}

async function read(path: string): Promise<Manifest> {
  // The folder of the given path: a link to a manifest elsewhere has its files beside the link.
  const folder = await realpath(dirname(path))
  const found = await stat(path)
  if (!found.isFile()) throw new Error('it is not a file.')
  if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes: import it in parts.`)
  const problems = new ManifestProblems()
  const entries = new Map<Entry, number>()
  const numbers = new Map<string, number>()
  let number = 0
  for await (const row of jsonRows(path)) {
    number++
    if (number > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} entries: import it in parts.`)
    const { id, entry, wrong } = await readEntry(folder, row)
    const first = id === undefined ? undefined : numbers.get(id)
    if (first !== undefined) wrong.push(`has the id of entry ${first}`)
    else if (id !== undefined) numbers.set(id, number)
    for (const problem of wrong) problems.add(number, id, problem)
    if (entry && wrong.length === 0) entries.set(entry, number)
  }
  return { entries, problems }
}

/** @returns the entry's id also where other fields are invalid */
async function readEntry(folder: string, row: unknown): Promise<{ id?: string | undefined; entry?: Entry; wrong: string[] }> {
  const id = ManifestEntry.shape.id.safeParse(Object(row).id).data
  const read = check(ManifestEntry, row, 'It')
  if ('problems' in read) return { id, wrong: read.problems.map(({ path, message }) => `${path} ${message}`.trim()) }
  const { file, filename, id: itemId, ...metadata } = read.data
  const entry: Entry = { id: itemId, metadata, ...(filename !== undefined && { filename }) }
  if (file === undefined) return { id, entry, wrong: [] }
  try {
    return { id, entry: { ...entry, file: await entryFile(folder, file) }, wrong: [] }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    return { id, wrong: [`its file "${shortened(file)}" ${error.message}`] }
  }
}

/** The end of a long path, which has the name. */
const shortened = (path: string) => (path.length <= 100 ? path : `…${path.slice(-99).toWellFormed()}`)

/** Most listed problems. */
const MOST_LINES = 20
/** Most characters of a line. */
const LONGEST = 500

/** Problems of a manifest: the first ones, by entry, and their number. */
class ManifestProblems {
  readonly #kept: { number: number; line: string }[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /**
   * @param number of the entry, from 1
   * @param id of its item, where that is known
   * @param problem may quote the manifest; it is printed as one line without control characters
   */
  add(number: number, id: string | undefined, problem: string): void {
    this.#count++
    const name = id === undefined ? `entry ${number}` : `entry ${number} (id ${id})`
    const line = onOneLine(`${name}: ${problem}`)
    this.#kept.push({ number, line: line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line })
    if (this.#kept.length < 2 * MOST_LINES) return
    this.#sort()
    this.#kept.length = MOST_LINES
  }

  /** The first problems as lines, and the number of others. */
  lines(): string[] {
    this.#sort()
    const lines = this.#kept.slice(0, MOST_LINES).map(({ line }) => line)
    return this.#count > lines.length ? [...lines, `and ${this.#count - lines.length} more`] : lines
  }

  #sort(): void {
    this.#kept.sort((one, other) => one.number - other.number)
  }
}

/** Characters of an id. */
const MAX_ID = 200
/** Characters of a path, and of a name. */
const MAX_PATH = 4_096
const MAX_FILENAME = 1_000

const isPlain = (text: string) => hasNoControls(text) && text.isWellFormed()
const NOT_PLAIN = 'must not contain control characters'

const TextId = z
  .string('must be a string or a whole number')
  .trim()
  .refine(isPlain, NOT_PLAIN)
  .transform((id) => id.normalize('NFC'))
  .pipe(
    z
      .string()
      .min(1)
      .refine((id) => id.length <= 2 * MAX_ID && [...id].length <= MAX_ID, `must be at most ${MAX_ID} characters`),
  )

/** Numbers become their digits. */
const Id = z.preprocess((id) => (Number.isSafeInteger(id) && Number(id) >= 0 ? String(id) : id), TextId)

const fewLanguages = (value: object) => Object.keys(value).length <= metadataLimits.stockLanguages

/** An item's texts by language. Refuses `__proto__`, which a record's schema drops silently. */
function languagesOf<Languages extends z.ZodType<object>>(languages: Languages) {
  const few = languages.refine(fewLanguages, `must hold at most ${metadataLimits.stockLanguages} languages`)
  return z.preprocess((value, { addIssue }) => {
    if (Object.hasOwn(Object(value), '__proto__')) addIssue({ code: 'custom', path: ['__proto__'], message: 'is not known' })
    return value
  }, few)
}

/** An item as a manifest describes it. */
const ManifestEntry = z.strictObject({
  id: Id,
  file: z.string().min(1).max(MAX_PATH).optional(),
  filename: z.string().min(1).max(MAX_FILENAME).refine(isPlain, NOT_PLAIN).optional(),
  title: languagesOf(TextByLanguage).optional(),
  description: languagesOf(TextByLanguage).optional(),
  keywords: languagesOf(KeywordsByLanguage).optional(),
})
