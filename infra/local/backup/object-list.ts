import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { BucketName } from './contents.ts'

/** A bucket's file in a backup. */
export interface ListedFile {
  bucket: BucketName
  file: string
  bytes: number
  /** Unsigned. */
  crc32: number
}

/** Name of the list in a backup. */
export const OBJECT_LIST = 'objects.db'

/** The list of a backup's object files: an SQLite database beside the others. */
export class ObjectList {
  readonly #database: DatabaseSync
  readonly #add: StatementSync
  readonly #find: StatementSync

  private constructor(database: DatabaseSync) {
    this.#database = database
    this.#add = database.prepare('INSERT OR IGNORE INTO files (bucket, file, bytes, crc32) VALUES (?, ?, ?, ?)')
    this.#find = database.prepare('SELECT * FROM files WHERE bucket = ? AND file = ?')
  }

  /** Creates an empty list, which `end` makes durable. */
  static make(path: string): ObjectList {
    const database = new DatabaseSync(path)
    database.exec(`
      CREATE TABLE files (bucket TEXT NOT NULL, file TEXT NOT NULL, bytes INTEGER NOT NULL, crc32 INTEGER NOT NULL, PRIMARY KEY (bucket, file)) STRICT, WITHOUT ROWID;
      BEGIN`)
    return new ObjectList(database)
  }

  static open(path: string): ObjectList {
    return new ObjectList(new DatabaseSync(path, { readOnly: true }))
  }

  add({ bucket, file, bytes, crc32 }: ListedFile): void {
    this.#add.run(bucket, file, bytes, crc32)
  }

  find(bucket: BucketName, file: string): ListedFile | undefined {
    return this.#find.get(bucket, file) as ListedFile | undefined
  }

  /** All files, by bucket and name. */
  *all(): Generator<ListedFile> {
    for (const row of this.#database.prepare('SELECT * FROM files ORDER BY bucket, file').iterate()) yield row as unknown as ListedFile
  }

  sum(): { files: number; bytes: number } {
    const row = this.#database.prepare('SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM files').get()
    return row as { files: number; bytes: number }
  }

  end(): void {
    this.#database.exec('COMMIT')
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}
