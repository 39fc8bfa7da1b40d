import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SearchDocument } from '../../shared/backends/search/port.ts'
import { searchableText } from '../../shared/backends/search/searchable-text.ts'
import type { MediaKind } from '../../shared/vocabulary/media-kind.ts'

const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE doc (id INTEGER PRIMARY KEY, media_id INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL, created INTEGER NOT NULL);
  CREATE TABLE placement (folder INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (folder, id)) WITHOUT ROWID;
  CREATE INDEX placement_by_id ON placement (id, folder);
  CREATE VIRTUAL TABLE words USING fts5 (
    title, filename, description, suggested, byline, copyright,
    content = '', contentless_delete = 1, detail = full, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE grams USING fts5 (title, filename, content = '', contentless_delete = 1, tokenize = 'trigram');`

/** A question to the peer: a full-text table with its expression, folders and a kind where there are any, and how many files to skip. */
export interface PeerQuery {
  match?: { table: 'words' | 'grams'; expression: string }
  folders?: readonly number[]
  kind?: MediaKind
  offset?: number
}

/** FTS5 as it comes, with tables for folders and filters beside it: what a search takes that does nothing else. */
export class SearchPeer {
  /** Absent when the index of an earlier run was there. */
  readonly filesIndexedPerSecond: number | undefined
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string, filesIndexedPerSecond: number | undefined) {
    this.filesIndexedPerSecond = filesIndexedPerSecond
    this.#db = new DatabaseSync(path)
    this.#db.exec('PRAGMA cache_size = -4000')
  }

  /** The peer with these documents, given the oldest first. An earlier run's index at `path` is used. */
  static of(path: string, documents: () => Iterable<SearchDocument>): SearchPeer {
    return new SearchPeer(path, existsSync(path) ? undefined : build(path, documents()))
  }

  /** Bytes of its tables. */
  get bytes(): number {
    return this.#statement('SELECT sum(pgsize) AS bytes FROM dbstat').get()!.bytes as number
  }

  /** Counts the files and reads the newest 24, each by a statement. @returns the number of files */
  search({ match, folders, kind, offset = 0 }: PeerQuery): number {
    const table = match?.table ?? 'doc'
    const list = folders && JSON.stringify(folders)
    const conditions = [
      ...(match ? [`${table} MATCH ?`] : []),
      ...(list
        ? [
            match
              ? `+${table}.rowid IN (SELECT id FROM placement WHERE folder IN (${LIST}))`
              : `EXISTS (SELECT 1 FROM placement p WHERE p.id = doc.rowid AND +p.folder IN (${LIST}))`,
          ]
        : []),
      ...(kind ? [`(SELECT kind FROM doc d WHERE d.id = ${table}.rowid) = ?`] : []),
    ]
    const values = [match?.expression, list, kind].filter((value) => value !== undefined)
    const where = `WHERE ${conditions.join(' AND ')}`
    // The files of folders alone are counted fastest where the folders are.
    const counting = match ? `SELECT count(*) AS total FROM ${table} ${where}` : BY_FOLDER
    const { total } = this.#statement(counting).get(...values) as { total: number }
    const page = this.#statement(`SELECT rowid AS id FROM ${table} ${where} ORDER BY rowid DESC LIMIT 24 OFFSET ?`).all(...values, offset)
    const mediaId = this.#statement('SELECT media_id FROM doc WHERE id = ?')
    for (const { id } of page as { id: number }[]) mediaId.get(id)
    return total
  }

  [Symbol.dispose](): void {
    this.#statements.clear()
    this.#db.close()
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

const LIST = 'SELECT value FROM json_each(?)'
const BY_FOLDER = `SELECT count(DISTINCT id) AS total FROM placement WHERE folder IN (${LIST})`

/** @returns files indexed a second */
function build(path: string, documents: Iterable<SearchDocument>): number {
  const building = `${path}.building`
  rmSync(building, { force: true })
  const db = new DatabaseSync(building)
  db.exec(TABLES)
  const doc = db.prepare('INSERT INTO doc VALUES (?, ?, ?, ?)')
  const placement = db.prepare('INSERT INTO placement VALUES (?, ?)')
  const words = db.prepare(
    'INSERT INTO words (rowid, title, filename, description, suggested, byline, copyright) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const grams = db.prepare('INSERT INTO grams (rowid, title, filename) VALUES (?, ?, ?)')
  const started = performance.now()
  let id = 0
  db.exec('BEGIN')
  for (const document of documents) {
    const { heading, filename, phrases: _, ...elsewhere } = searchableText(document)
    const [title, name] = [text(heading), text(filename)]
    doc.run(++id, document.mediaId, document.kind, document.created)
    for (const folder of document.folders) placement.run(folder, id)
    words.run(id, title, name, ...Object.values(elsewhere).map(text))
    grams.run(id, title, name)
    if (id % 1_000 === 0) db.exec('COMMIT; BEGIN')
  }
  db.exec("COMMIT; INSERT INTO words (words) VALUES ('optimize'); INSERT INTO grams (grams) VALUES ('optimize')")
  const seconds = (performance.now() - started) / 1000
  db.close()
  renameSync(building, path)
  return id / seconds
}

function text(values: readonly (readonly string[])[]): string {
  return values.map((tokens) => tokens.join(' ')).join(' | ')
}
