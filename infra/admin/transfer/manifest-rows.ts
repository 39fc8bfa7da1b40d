import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'csv-parse'
import { jsonRows } from './json-rows.ts'
import { Refusals } from './refusals.ts'
import { COLUMNS, parsed, Row } from './said.ts'

/** Largest line, in bytes. */
const MAX_LINE_BYTES = 2 * 1024 * 1024

/**
 * The rows of a manifest, by the paths of their files, on the disk: a manifest may be larger than memory.
 */
export class ManifestRows implements AsyncDisposable {
  /** Rows and files that can't be taken. */
  readonly refusals: Refusals
  readonly #folder: string
  readonly #database: DatabaseSync

  private constructor(folder: string) {
    this.#folder = folder
    this.#database = new DatabaseSync(join(folder, 'rows.db'))
    this.#database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE rows (path TEXT PRIMARY KEY, source_id TEXT UNIQUE, body TEXT, problem TEXT, taken INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`)
    this.refusals = new Refusals(this.#database)
    // Nobody else reads it, and nothing of it stays: one transaction to its end is ten times as fast as one for each row.
    this.#database.exec('BEGIN')
  }

  /** Reads a manifest: CSV with a line of columns, or JSON lines. @throws Error in a sentence where it can't be read as such */
  static async read(file: string | undefined): Promise<ManifestRows> {
    const rows = new ManifestRows(await mkdtemp(join(tmpdir(), 'media-library-manifest-')))
    if (file === undefined) return rows
    try {
      let line = 0
      for await (const row of /\.(jsonl|ndjson|json)$/i.test(file) ? jsonRows(file) : csvRows(file)) rows.#add(row, ++line)
      return rows
    } catch (error) {
      await rows[Symbol.asyncDispose]()
      throw new Error(`The manifest ${file} can't be read: ${(error as Error).message.split('\n')[0]}`, { cause: error })
    }
  }

  #add(row: unknown, number: number): void {
    const given = String(Object(row).path ?? '')
    const path = given.normalize('NFC').replace(/^(\.\/)+/, '')
    if (path === '') this.refusals.add({ path, message: `row ${number} of the manifest names no path` })
    else if (leadsOut(path)) this.refusals.add({ path, message: 'leads out of the folder' })
    else {
      let [body, problem, sourceId]: [string | null, string | null, string | null] = [null, null, null]
      try {
        sourceId = parsed(Row, row).source_id ?? null
        body = JSON.stringify(row)
      } catch (error) {
        problem = `row ${number} of the manifest: ${(error as Error).message}`
      }
      const insert = this.#statement('INSERT OR IGNORE INTO rows (path, source_id, body, problem) VALUES (?, ?, ?, ?)')
      if (insert.run(path, sourceId, body, problem).changes > 0) return
      const isTwice = this.#statement('SELECT 1 FROM rows WHERE path = ?').get(path) !== undefined
      const message = `row ${number} of the manifest has the ${isTwice ? 'path' : 'source id'} of another one`
      if (isTwice) this.refusals.add({ path, message })
      // Without its row the file would come under no source id.
      else this.#statement('INSERT INTO rows (path, problem) VALUES (?, ?)').run(path, message)
    }
  }

  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()

  #statement(sql: string) {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Whether a row names a file. */
  has(path: string): boolean {
    return this.#statement('SELECT 1 FROM rows WHERE path = ?').get(path.normalize('NFC')) !== undefined
  }

  /** What is said of a file; undefined where no row names it. @throws Error that says what is wrong with its row */
  take(path: string): Row | undefined {
    const key = path.normalize('NFC')
    const found = this.#statement('UPDATE rows SET taken = 1 WHERE path = ? RETURNING body, problem').get(key)
    if (found === undefined) return undefined
    const { body, problem } = found as { body: string | null; problem: string | null }
    if (body === null) throw new Error(problem ?? '')
    return parsed(Row, JSON.parse(body))
  }

  /** Refuses rows whose file never came. */
  refuseUntaken(): void {
    for (const { path } of this.#database.prepare('SELECT path FROM rows WHERE taken = 0').iterate())
      this.refusals.add({ path: String(path), message: 'is named by the manifest, and is not there' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

const leadsOut = (path: string): boolean => /^([/\\]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes('..') || path.includes('\0')

async function* csvRows(file: string): AsyncGenerator<unknown> {
  const columns = (names: string[]) => {
    const known: readonly string[] = COLUMNS
    const unknown = names.filter((name) => !known.includes(name))
    if (unknown.length > 0) throw new Error(`its columns ${unknown.join(', ')} are unknown; known are ${COLUMNS.join(', ')}.`)
    if (!names.includes('path')) throw new Error('it has no column path.')
    return names
  }
  const parser = parse({ columns, bom: true, trim: true, skip_empty_lines: true, max_record_size: MAX_LINE_BYTES })
  const stream = createReadStream(file)
  stream.on('error', (error) => parser.destroy(error))
  yield* stream.pipe(parser)
}
