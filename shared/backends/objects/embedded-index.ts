import type { IndexDatabase } from './embedded-database.ts'
import { LABEL_COLUMNS, type LabelColumns, labelValues, toLabels } from './embedded-labels.ts'
import type { ObjectEntry, ObjectInfo } from './port.ts'

/** An object in the index, with the name of its file. */
export interface IndexedObject extends ObjectInfo {
  /** An object with extents has no such file. */
  file: string
  hasExtents: boolean
}

/** A piece of a file that holds a piece of an object. */
export interface Extent {
  file: string
  offset: number
  bytes: number
}

interface Row extends LabelColumns {
  key: Uint8Array
  file: string
  bytes: number
  modified: number
  has_extents: 0 | 1
}

/**
 * The index of an embedded bucket: the object, labels and file of each key. Callers wrap changes in transactions of its database. Several
 * processes may have it open.
 */
export class ObjectIndex {
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: IndexDatabase) {
    this.#statements = prepare(database)
  }

  find(key: string): IndexedObject | undefined {
    const row = this.#statements.find.get(Buffer.from(key)) as Row | undefined
    return row && toObject(row)
  }

  /** Objects whose keys start with `prefix` and come after the key `after`, by key bytes. */
  list(prefix: string, after: string | undefined, limit: number): ObjectEntry[] {
    const first = after === undefined ? Buffer.from(prefix) : Buffer.from(`${after}\0`)
    const rows = this.#statements.list.all(first, endOfPrefix(prefix), limit) as unknown as Row[]
    return rows.map((row) => ({ key: decode(row.key), bytes: row.bytes, modified: row.modified, etag: row.file }))
  }

  /** Puts an object at its key and discards the previous object's file. @param crc32 that of its file, if known */
  put({ key, file, bytes, modified, ...labels }: Omit<IndexedObject, 'etag' | 'hasExtents'>, crc32: number | undefined): void {
    this.#statements.put.run(Buffer.from(key), file, bytes, modified, ...labelValues(labels))
    if (crc32 !== undefined) this.#statements.addChecksum.run(file, crc32)
  }

  /** The CRC-32 of an object's file, if known. */
  crc32Of(file: string): number | undefined {
    return (this.#statements.checksum.get(file) as { crc32: number } | undefined)?.crc32
  }

  /** Sets the extents of an object that has no file, in order. @param object its `file` */
  setExtents(object: string, extents: readonly Extent[]): void {
    let position = 0
    for (const { file, offset, bytes } of extents) {
      this.#statements.addExtent.run(object, position, file, offset, bytes)
      position += bytes
    }
  }

  /** The extents of bytes `start` to `end` (inclusive) of an object, cut to this range. @param object its `file` */
  extents(object: string, { start, end }: { start: number; end: number }): Extent[] {
    const rows = this.#statements.extents.all(object, object, start, end) as unknown as (Extent & { position: number })[]
    return rows.map(({ position, file, offset, bytes }) => {
      const skipped = Math.max(0, start - position)
      return { file, offset: offset + skipped, bytes: Math.min(bytes, end + 1 - position) - skipped }
    })
  }

  /** Removes objects and discards their files. */
  delete(keys: readonly string[]): void {
    for (const key of keys) this.#statements.delete.run(Buffer.from(key))
  }

  /** Whether the file holds bytes of an object. */
  refersTo(file: string): boolean {
    return this.#statements.refersTo.get(file, file) !== undefined
  }

  /** Discarded files that must be unlinked. */
  discarded(): string[] {
    return this.#statements.discarded.all().map((row) => (row as { file: string }).file)
  }

  /** Removes unlinked files from the list of discarded ones. */
  forget(files: readonly string[]): void {
    for (const file of files) this.#statements.forget.run(file)
  }
}

function prepare(database: IndexDatabase) {
  const changing = ['file', 'bytes', 'modified', ...LABEL_COLUMNS]
  return {
    find: database.prepare(
      'SELECT *, EXISTS (SELECT 1 FROM extents WHERE object = objects.file) AS has_extents FROM objects WHERE key = ?',
    ),
    list: database.prepare('SELECT key, file, bytes, modified FROM objects WHERE key >= ? AND key < ? ORDER BY key LIMIT ?'),
    put: database.prepare(
      `INSERT INTO objects (key, ${changing.join(', ')}) VALUES (?, ${changing.map(() => '?').join(', ')})
       ON CONFLICT (key) DO UPDATE SET ${changing.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    ),
    addChecksum: database.prepare('INSERT INTO checksums (file, crc32) VALUES (?, ?)'),
    checksum: database.prepare('SELECT crc32 FROM checksums WHERE file = ?'),
    delete: database.prepare('DELETE FROM objects WHERE key = ?'),
    addExtent: database.prepare('INSERT INTO extents (object, position, file, offset, bytes) VALUES (?, ?, ?, ?, ?)'),
    extents: database.prepare(
      `SELECT position, file, offset, bytes FROM extents WHERE object = ?
       AND position >= (SELECT max(position) FROM extents WHERE object = ? AND position <= ?) AND position <= ? ORDER BY position`,
    ),
    refersTo: database.prepare('SELECT 1 FROM objects WHERE file = ? UNION ALL SELECT 1 FROM extents WHERE file = ? LIMIT 1'),
    discarded: database.prepare('SELECT file FROM discarded'),
    forget: database.prepare('DELETE FROM discarded WHERE file = ?'),
  }
}

function toObject(row: Row): IndexedObject {
  return {
    key: decode(row.key),
    bytes: row.bytes,
    ...toLabels(row),
    modified: row.modified,
    // Every content gets a new random file name, which serves as its ETag.
    etag: row.file,
    file: row.file,
    hasExtents: row.has_extents === 1,
  }
}

/** A byte string after all keys that start with `prefix` and before all others that follow. */
function endOfPrefix(prefix: string): Buffer {
  // UTF-8 has no byte 0xff: incrementing the last byte can't overflow.
  if (prefix === '') return Buffer.from([0xff])
  const end = Buffer.from(prefix)
  end[end.length - 1]! += 1
  return end
}

function decode(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString()
}
