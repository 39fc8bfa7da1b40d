import type { IndexDatabase } from './embedded-database.ts'
import { newFileName } from './embedded-files.ts'
import { LABEL_COLUMNS, type LabelColumns, labelValues, toLabels } from './embedded-labels.ts'
import { type Composition, CompositionMissing, type ObjectLabels, ObjectMissing, type StoredPart } from './port.ts'

/** A part with the location and CRC-32 of its bytes. */
export interface PlacedPart extends StoredPart {
  file: string
  offset: number
  crc32: number
  /** Key of the object that owns the file. Absent for files of the composition. */
  source?: string
}

/** The unfinished compositions of an embedded bucket: their parts, and the files that hold them. */
export class CompositionIndex {
  readonly #database: IndexDatabase
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: IndexDatabase) {
    this.#database = database
    this.#statements = prepare(database)
  }

  /** @param begun UTC, milliseconds since the epoch */
  begin({ id, key }: Composition, labels: ObjectLabels, begun: number): void {
    this.#statements.begin.run(id, Buffer.from(key), begun, ...labelValues(labels))
  }

  /** @throws CompositionMissing */
  labels({ id, key }: Composition): ObjectLabels {
    const row = this.#statements.labels.get(id, Buffer.from(key)) as LabelColumns | undefined
    if (!row) throw new CompositionMissing(key)
    return toLabels(row)
  }

  /** Parts by number. @throws CompositionMissing */
  parts(composition: Composition): PlacedPart[] {
    this.labels(composition)
    return this.#statements.parts.all(composition.id) as unknown as PlacedPart[]
  }

  /**
   * Claims a file for a writer: one that an ended or crashed writer left, or a new one.
   * @returns the file, and the position at which to continue
   * @throws CompositionMissing
   */
  claim(composition: Composition, writer: string, isAlive: (writer: string) => boolean): { file: string; end: number } {
    return this.#database.transaction(() => {
      this.labels(composition)
      const files = this.#statements.files.all(composition.id) as { file: string; writer: string | null }[]
      const free = files.find(({ writer }) => writer === null || !isAlive(writer))
      if (!free) {
        const file = newFileName()
        this.#statements.addFile.run(file, composition.id, writer)
        return { file, end: 0 }
      }
      this.#statements.setWriter.run(writer, free.file)
      const { end } = this.#statements.end.get(composition.id, free.file) as { end: number }
      return { file: free.file, end }
    })
  }

  /** Claims a given file for a writer, unless another writer has it. @returns whether it is claimed */
  claimFile(file: string, writer: string, isAlive: (writer: string) => boolean): boolean {
    return this.#database.transaction(() => {
      const found = this.#statements.writer.get(file) as { writer: string | null } | undefined
      if (!found || (found.writer !== null && isAlive(found.writer))) return false
      this.#statements.setWriter.run(writer, file)
      return true
    })
  }

  /** Releases the claim of a file. */
  release(file: string): void {
    this.#statements.setWriter.run(null, file)
  }

  /** Stores parts whose bytes are on the disk. Each replaces the part with its number. @throws CompositionMissing, ObjectMissing */
  add(composition: Composition, parts: readonly PlacedPart[]): void {
    this.#database.transaction(() => {
      this.labels(composition)
      for (const { number, file, offset, bytes, crc32, source } of parts) {
        // The part protects the file from now on. The object may have been removed before.
        if (source !== undefined && this.#statements.isObject.get(file) === undefined) throw new ObjectMissing(source)
        this.#statements.addPart.run(composition.id, number, file, offset, bytes, crc32)
      }
    })
  }

  /** Files of a composition. */
  files({ id }: Composition): string[] {
    return this.#statements.files.all(id).map((row) => (row as { file: string }).file)
  }

  /** Whether the file belongs to a composition. */
  hasFile(file: string): boolean {
    return this.#statements.hasFile.get(file) !== undefined
  }

  /** Removes a composition with its parts and files. */
  remove({ id }: Composition): void {
    this.#statements.remove.run(id)
  }

  /** Removes compositions that began before a time, in milliseconds since the epoch. */
  removeBegunBefore(time: number): void {
    this.#statements.removeBegunBefore.run(time)
  }
}

function prepare(database: IndexDatabase) {
  const labels = LABEL_COLUMNS.join(', ')
  return {
    begin: database.prepare(`INSERT INTO compositions (id, key, begun, ${labels}) VALUES (?, ?, ?${', ?'.repeat(LABEL_COLUMNS.length)})`),
    labels: database.prepare(`SELECT ${labels} FROM compositions WHERE id = ? AND key = ?`),
    parts: database.prepare('SELECT number, file, offset, bytes, crc32 FROM composed_parts WHERE composition = ? ORDER BY number'),
    files: database.prepare('SELECT file, writer FROM composed_files WHERE composition = ?'),
    hasFile: database.prepare('SELECT 1 FROM composed_files WHERE file = ?'),
    writer: database.prepare('SELECT writer FROM composed_files WHERE file = ?'),
    addFile: database.prepare('INSERT INTO composed_files (file, composition, writer) VALUES (?, ?, ?)'),
    setWriter: database.prepare('UPDATE composed_files SET writer = ? WHERE file = ?'),
    end: database.prepare('SELECT coalesce(max(offset + bytes), 0) AS "end" FROM composed_parts WHERE composition = ? AND file = ?'),
    isObject: database.prepare('SELECT 1 FROM objects WHERE file = ?'),
    addPart: database.prepare(
      `INSERT INTO composed_parts (composition, number, file, offset, bytes, crc32) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET file = excluded.file, offset = excluded.offset, bytes = excluded.bytes, crc32 = excluded.crc32`,
    ),
    remove: database.prepare('DELETE FROM compositions WHERE id = ?'),
    removeBegunBefore: database.prepare('DELETE FROM compositions WHERE begun < ?'),
  }
}
