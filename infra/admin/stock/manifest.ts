import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { check } from '../../../shared/http/declaration/problems.ts'
import type { Entry } from '../../../shared/library/stock/items.ts'
import { jsonRows } from '../transfer/json-rows.ts'
import { ManifestEntry } from './entry.ts'
import { entryFile, FileRefused } from './entry-file.ts'
import { ManifestProblems } from './problems.ts'

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
