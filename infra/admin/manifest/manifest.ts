import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { check } from '../../../shared/http/declaration/problems.ts'
import type { Entry } from '../../../shared/library/stock/items.ts'
import { arrayElements, Unreadable } from './array-elements.ts'
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
 * Reads a manifest: a JSON array of items, with their files beside it. Finds all problems of its entries.
 * @throws Error in a sentence for files that are no manifest, or too large
 */
export async function readManifest(path: string): Promise<Manifest> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof Unreadable) throw new Error(`The manifest ${path} ${error.message}.`)
    const { code, message } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new Error(`The manifest ${path} can't be read: ${message}.`)
  }
}

async function read(path: string): Promise<Manifest> {
  // The folder of the given path: a link to a manifest elsewhere has its files beside the link.
  const folder = await realpath(dirname(path))
  const problems = new ManifestProblems()
  const entries = new Map<Entry, number>()
  const numbers = new Map<string, number>()
  let number = 0
  for await (const text of elements(path)) {
    number++
    if (number > MAX_ENTRIES) throw new Unreadable(`has more than ${MAX_ENTRIES} entries: import it in parts`)
    const { id, entry, wrong } = await readEntry(folder, text)
    const first = id === undefined ? undefined : numbers.get(id)
    if (first !== undefined) wrong.push(`has the id of entry ${first}`)
    else if (id !== undefined) numbers.set(id, number)
    for (const problem of wrong) problems.add(number, id, problem)
    if (entry && wrong.length === 0) entries.set(entry, number)
  }
  return { entries, problems }
}

async function* elements(path: string): AsyncGenerator<string> {
  // Without blocking on a pipe.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const found = await file.stat()
  if (!found.isFile()) throw new Unreadable('is not a file')
  if (found.size > MAX_BYTES) throw new Unreadable(`is larger than ${MAX_BYTES} bytes: import it in parts`)
  yield* arrayElements(file.createReadStream({ autoClose: false }))
}

/** @param text of the entry. @returns its id also where other fields are invalid */
async function readEntry(folder: string, text: string): Promise<{ id?: string | undefined; entry?: Entry; wrong: string[] }> {
  const value = parsed(text)
  if (value === undefined) return { wrong: ['is not JSON'] }
  const id = ManifestEntry.shape.id.safeParse(Object(value).id).data
  const read = check(ManifestEntry, value, 'It')
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

/** Undefined for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
