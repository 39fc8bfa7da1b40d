import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import * as z from 'zod'
import { Comment } from '../../../shared/http/declaration/fields.ts'
import { MAX_ID } from '../../../shared/vocabulary/ids.ts'
import { EXPORT_FILES } from './export-target.ts'
import { parsed } from './said.ts'
import { VERSION_COLUMNS } from './version-table.ts'
import type { Refused } from './walk.ts'

/** Largest line, in bytes. */
const MAX_LINE_BYTES = 64 * 1024

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
const Truth = z.enum(['true', 'false']).transform((text) => text === 'true')
const Time = z.iso.datetime().transform((text) => Date.parse(text))

const told = {
  media_id: whole(1, MAX_ID),
  number: whole(1, 999_999_999),
  filename: z.string().min(1).max(1_024),
  bytes: whole(0, Number.MAX_SAFE_INTEGER),
  created: Time,
  uploaded_by: whole(0, MAX_ID),
  comment: Comment,
  pinned: Truth,
}

/** A line of the table of versions. */
const Row = z.discriminatedUnion('state', [
  z.object({
    ...{ ...told, state: z.literal('available'), current: Truth, path: z.string().min(1).max(4_096) },
    md5: z.string().regex(/^[0-9a-f]{32}$/, 'must be an MD5 in hex'),
  }),
  z.object({ ...told, state: z.literal('failed') }),
  z.object({ media_id: told.media_id, number: told.number, state: z.literal('removed') }),
])
type Row = z.infer<typeof Row>

export type AvailableVersion = Row & { state: 'available' }
export type FailedVersion = Row & { state: 'failed' }

/** The versions of a file of an export. */
export interface VersionsOfFile {
  current: AvailableVersion
  former: AvailableVersion[]
  failed: FailedVersion[]
  /** The highest number that was given. */
  lastNumber: number
}

/** The table of versions of an export, by the ids of its files, on the disk: it may be larger than memory. */
export class VersionRows implements AsyncDisposable {
  readonly #folder: string
  readonly #database: DatabaseSync
  readonly #insert: StatementSync

  private constructor(folder: string) {
    this.#folder = folder
    this.#database = new DatabaseSync(join(folder, 'versions.db'))
    this.#database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE versions (media_id INTEGER, number INTEGER, state TEXT NOT NULL, current INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (media_id, number)) WITHOUT ROWID;
      CREATE TABLE taken (media_id INTEGER PRIMARY KEY);
      BEGIN`)
    this.#insert = this.#database.prepare('INSERT OR IGNORE INTO versions (media_id, number, state, current, body) VALUES (?, ?, ?, ?, ?)')
  }

  /** @throws Error whose message follows the file's name, where a line is wrong or lines contradict each other */
  static async read(stream: Readable): Promise<VersionRows> {
    const rows = new VersionRows(await mkdtemp(join(tmpdir(), 'media-library-versions-')))
    try {
      let hasColumns = false
      const columns = (names: string[]) => {
        hasColumns = true
        return columnsOf(names)
      }
      const parser = parse({ columns, bom: true, skip_empty_lines: true, max_record_size: MAX_LINE_BYTES })
      stream.on('error', (error) => parser.destroy(error))
      let line = 0
      for await (const row of stream.pipe(parser)) rows.#add(row, ++line)
      if (!hasColumns) throw new Error('it is empty')
      rows.#requireCurrent()
      return rows
    } catch (error) {
      await rows[Symbol.asyncDispose]()
      throw error
    }
  }

  #add(given: unknown, line: number): void {
    const row = inRow(line, () => parsed(Row, given))
    const { media_id: mediaId, number, state } = row
    const isCurrent = row.state === 'available' && row.current
    if (row.state === 'available' && !isCurrent && leadsElsewhere(row)) throw new Error(`row ${line} has a path that is none of its file`)
    const { changes } = this.#insert.run(mediaId, number, state, Number(isCurrent), JSON.stringify(row))
    if (changes === 0) throw new Error(`row ${line} has a number of file ${mediaId} that another row has`)
  }

  /** @throws Error where a file has no current version, several, or one that is not the newest */
  #requireCurrent(): void {
    const newest = "max(number) FILTER (WHERE state = 'available') = max(number) FILTER (WHERE current)"
    const isRight = `sum(current) = 1 AND ${newest}`
    const wrong = this.#database.prepare(`SELECT media_id FROM versions GROUP BY media_id HAVING NOT (${isRight}) LIMIT 1`).get()
    if (wrong) throw new Error(`file ${wrong.media_id} must have one current version, its highest available one`)
  }

  /** The versions of a file. @returns undefined where the table names none */
  of(mediaId: number): VersionsOfFile | undefined {
    const found = this.#database.prepare('SELECT body FROM versions WHERE media_id = ? ORDER BY number').all(mediaId)
    if (found.length === 0) return undefined
    this.#database.prepare('INSERT OR IGNORE INTO taken (media_id) VALUES (?)').run(mediaId)
    const rows = found.map(({ body }) => JSON.parse(String(body)) as Row)
    const available = rows.filter((row) => row.state === 'available')
    return {
      current: available.find(({ current }) => current)!,
      former: available.filter(({ current }) => !current),
      failed: rows.filter((row) => row.state === 'failed'),
      lastNumber: rows.at(-1)!.number,
    }
  }

  /** Files of the table that were not taken. */
  *untaken(): Generator<Refused> {
    const rows = this.#database.prepare('SELECT DISTINCT media_id FROM versions WHERE media_id NOT IN (SELECT media_id FROM taken)')
    for (const { media_id: mediaId } of rows.iterate())
      yield { path: EXPORT_FILES.versionsTable, message: `names file ${mediaId}, which was not taken` }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Whether the bytes of a former version would come from anywhere but the folder of its file. The paths of current ones lie with the files. */
function leadsElsewhere({ media_id: mediaId, path }: AvailableVersion): boolean {
  const [top, folder, name, ...more] = path.split('/')
  if (top === EXPORT_FILES.payload) return false
  return top !== EXPORT_FILES.versions || folder !== String(mediaId) || !name || /^\.{1,2}$|[\\\0]/.test(name) || more.length > 0
}

function columnsOf(names: string[]): string[] {
  const missing = VERSION_COLUMNS.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`it has no column ${missing.join(', ')}`)
  return names
}

function inRow<T>(line: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(`row ${line}: ${(error as Error).message}`, { cause: error })
  }
}
