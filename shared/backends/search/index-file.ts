import { statSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** Version of the tables below, of pending documents and of the folding of text. An index of another version is deleted and built again. */
export const INDEX_FORMAT = 12
/** Names the format in the file's header (`MLSx`). */
const APPLICATION = 0x4d4c5378

const MAX_CACHED_STATEMENTS = 200

/** The files of an index: the database, its write-ahead log and the index of that. */
export const INDEX_FILES = ['', '-wal', '-shm'] as const

/**
 * While very many documents are written, pages wait in the log (32 MB of it) until they are copied to the file, most of them once instead of at each
 * commit, and more of them are kept in memory. Afterwards the log becomes small again. In KB, pages of 4 KB and bytes.
 */
const WRITING = {
  few: 'PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 8000000',
  many: 'PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = -1',
}

/** Pages that stay in memory for the next query, in KB: with half as many, a word in some hundred folders takes half as long again. */
const READING = 'PRAGMA cache_size = -8000'

/**
 * `label` orders files by (created, media_id), see document-order.ts. Full-text matches come in this order, so the newest page of a query needs
 * no sorting. `texts` finds phrases and substrings, `terms` words and their beginnings (index-text.ts). Neither contains text; `doc.text` is its
 * fingerprint, null where it isn't indexed. `doc.filename` and `doc.byline` are keys of names; `doc.all_folders` is the list of a file that is in
 * several, in their order. `shared` repeats the rows of `placement` of files that are in several folders, so that the counts
 * of folders can be added up for all other files. `phrase` has all that was ever suggested (index-text.ts): whether a file still has it is for `terms` to say. `folder` and `state` have these counts. `edition` names the file.
 */
const TABLES = `
  CREATE TABLE state (position TEXT, files INTEGER NOT NULL, pointers INTEGER NOT NULL);
  INSERT INTO state VALUES (NULL, 0, 0);
  CREATE TABLE pending (media_id INTEGER NOT NULL UNIQUE, revision INTEGER NOT NULL, created INTEGER NOT NULL, document TEXT);
  CREATE INDEX pending_by_created ON pending (created, media_id);
  CREATE TABLE tombstone (media_id INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
  CREATE TABLE doc (
    label INTEGER PRIMARY KEY, media_id INTEGER NOT NULL UNIQUE, revision INTEGER NOT NULL, kind TEXT NOT NULL, created INTEGER NOT NULL,
    camera_created INTEGER, modified INTEGER NOT NULL, width INTEGER, height INTEGER, x REAL, y REAL, z REAL, expires TEXT,
    text INTEGER, filename TEXT NOT NULL, bytes INTEGER NOT NULL, byline TEXT, first_folder INTEGER NOT NULL, all_folders TEXT
  );
  CREATE INDEX doc_by_camera ON doc (camera_created);
  CREATE INDEX doc_by_filename ON doc (filename, media_id);
  CREATE INDEX doc_by_size ON doc (bytes, media_id);
  CREATE INDEX doc_by_byline ON doc (byline, media_id);
  CREATE INDEX doc_by_kind ON doc (kind, media_id);
  CREATE INDEX doc_by_expires ON doc (expires, media_id);
  CREATE TABLE placement (folder INTEGER NOT NULL, label INTEGER NOT NULL, PRIMARY KEY (folder, label)) WITHOUT ROWID;
  CREATE INDEX placement_by_label ON placement (label, folder);
  CREATE TABLE folder (id INTEGER PRIMARY KEY, files INTEGER NOT NULL, shared INTEGER NOT NULL);
  CREATE TABLE shared (folder INTEGER NOT NULL, label INTEGER NOT NULL, PRIMARY KEY (folder, label)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE texts USING fts5 (
    heading, filename, description, suggested, byline, copyright, content = '', contentless_delete = 1, tokenize = 'ascii'
  );
  CREATE VIRTUAL TABLE terms USING fts5 (tokens, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none');
  CREATE TABLE phrase (text TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE edition (id TEXT NOT NULL);
  INSERT INTO edition VALUES (hex(randomblob(16)));
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${INDEX_FORMAT};`

/** The tokens of `terms`, for queries of this connection (vocabulary.ts). */
const VOCABULARY = 'CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, terms, row)'

/** A company's index file: an SQLite database whose statements are prepared once. */
export class IndexFile {
  readonly path: string
  /** Names the file: one that is made anew at the same path has another. */
  readonly edition: string
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #isReadOnly: boolean
  readonly #files: string
  #placementChanges = 0
  #expected: keyof typeof WRITING = 'few'

  /**
   * Opens the file, makes it where there is none.
   * @param maxBytes largest size; writing more fails as on a full disk
   * @throws IncompatibleIndex, or SQLite's errors for a file that is no database (see `isDamaged`)
   */
  constructor(path: string, maxBytes?: number, { readOnly = false } = {}) {
    this.path = path
    this.#isReadOnly = readOnly
    this.#db = new DatabaseSync(path, { timeout: 5_000, readOnly })
    try {
      this.#db.exec('PRAGMA temp_store = MEMORY')
      this.#db.exec(readOnly ? READING : WRITING.few)
      if (readOnly) this.#checkVersion()
      else this.#prepareForWriting(maxBytes)
      this.#db.exec(VOCABULARY)
      this.edition = this.row<[string]>('SELECT id FROM edition')![0]
      this.#files = filesAt(path)
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /**
   * Opens a file that another process keeps up to date, for queries alone. Each query sees what was committed before it began.
   * @throws IncompatibleIndex, or SQLite's errors for a file that is missing or no database
   */
  static readOnly(path: string): IndexFile {
    return new IndexFile(path, undefined, { readOnly: true })
  }

  #prepareForWriting(maxBytes: number | undefined): void {
    // Has an effect on a new file alone, before it has anything.
    this.#db.exec('PRAGMA auto_vacuum = INCREMENTAL')
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    if (maxBytes !== undefined) this.#db.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / this.value('PRAGMA page_size'))}`)
    this.transaction(() => {
      const isNew = this.value('PRAGMA user_version') === 0 && this.value('SELECT count(*) FROM sqlite_schema') === 0
      if (isNew) this.#db.exec(TABLES)
      else this.#checkVersion()
    })
  }

  #checkVersion(): void {
    const isOurs = this.value('PRAGMA user_version') === INDEX_FORMAT && this.value('PRAGMA application_id') === APPLICATION
    if (!isOurs) throw new IncompatibleIndex()
  }

  /** The prepared statement of this SQL; its rows are arrays. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear()
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    this.#statements.set(sql, statement)
    return statement
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.prepare(sql).run(...values)
  }

  /** All rows, each an array of columns. */
  rows<Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.prepare(sql).all(...values) as unknown as Row[]
  }

  /** The first row, if any. */
  row<Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined
  }

  /** The first column of the first row, where the query always has one. */
  value(sql: string, ...values: SQLInputValue[]): number {
    return this.row<[number]>(sql, ...values)?.[0] ?? 0
  }

  /**
   * Changes when a file enters or leaves a folder: counts of folders from before are out of date. Of a file that another process writes it
   * changes with every commit; to be read in the transaction that counts.
   */
  get placementChanges(): number {
    return this.#isReadOnly ? this.value('PRAGMA data_version') : this.#placementChanges
  }

  placementsChanged(): void {
    this.#placementChanges++
  }

  /**
   * Whether its files are where they were opened, and hold something. Of one that was deleted, emptied or made anew, other processes see other
   * pages than this one, or none: SQLite doesn't notice.
   */
  get isInPlace(): boolean {
    return filesAt(this.path) === this.#files && (statSync(this.path, { throwIfNoEntry: false })?.size ?? 0) > 0
  }

  /** Prepares for writing few documents, or very many. */
  expect(documents: keyof typeof WRITING): void {
    if (documents === this.#expected) return
    this.#db.exec(WRITING[documents])
    // Else the next small change would wait for it.
    if (documents === 'few') this.#db.exec('PRAGMA wal_checkpoint')
    this.#expected = documents
  }

  /** Runs `work` in a write transaction: all of it happens or nothing. */
  transaction<T>(work: () => T): T {
    return this.#between('BEGIN IMMEDIATE', work)
  }

  /** Runs `work` in a read transaction: all of its statements see the same state. */
  reading<T>(work: () => T): T {
    return this.#between('BEGIN', work)
  }

  #between<T>(begin: string, work: () => T): T {
    this.#db.exec(begin)
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /** Writes a compact copy to `path`, where no file may exist. */
  copyTo(path: string): void {
    this.#db.prepare('VACUUM INTO ?').run(path)
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }
}

/** Tells the files of an index from others at the same paths. */
function filesAt(path: string): string {
  return INDEX_FILES.map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.ino).join(' ')
}

/** The file was made by another version of this code, or by another program. */
class IncompatibleIndex extends Error {
  override name = 'IncompatibleIndex'
}

/** The log or its index is gone, or the disk can't read. */
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_NOTADB = 26

/** Whether an error says that the file can't be used and must be built again. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error)
  return error instanceof IncompatibleIndex || [SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB].includes(code ?? 0)
}

/** Whether an error says that the disk, or the file's largest size, has no room left. */
export function isFull(error: unknown): boolean {
  return primaryCode(error) === SQLITE_FULL || (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
}

function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** How many files each of these folders holds. */
export function countFiles(index: IndexFile, folders: readonly number[]): number[] {
  const rows = index.rows<[number, number]>(
    'SELECT id, files FROM folder WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(folders),
  )
  const counts = new Map(rows)
  return folders.map((folder) => counts.get(folder) ?? 0)
}
