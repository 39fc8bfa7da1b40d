import type { IndexDatabase } from './embedded-database.ts'
import { CompositionMissing, type PartUpload, type ReceivedPart } from './port.ts'

/** Location of an upload's parts. */
interface PartFile {
  file: string
  partBytes: number
}

/** The multipart uploads of an embedded bucket: their files and complete parts. */
export class PartIndex {
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: IndexDatabase) {
    this.#statements = prepare(database)
  }

  begin({ id, key, partBytes }: PartUpload, file: string): void {
    this.#statements.begin.run(id, Buffer.from(key), file, partBytes)
  }

  /** @throws CompositionMissing */
  find({ id, key }: Pick<PartUpload, 'id' | 'key'>): PartFile {
    const row = this.#statements.find.get(id, Buffer.from(key)) as PartFile | undefined
    if (!row) throw new CompositionMissing(key)
    return row
  }

  /** By number. */
  parts(id: string): ReceivedPart[] {
    return this.#statements.parts.all(id) as unknown as ReceivedPart[]
  }

  hasPart(id: string, number: number): boolean {
    return this.#statements.hasPart.get(id, number) !== undefined
  }

  /** Stores a part whose bytes are on the disk. It replaces the part with its number. */
  addPart(id: string, { number, bytes, etag, modified }: ReceivedPart): void {
    this.#statements.addPart.run(id, number, bytes, etag, modified)
  }

  /** Removes a part whose bytes are about to be overwritten. */
  removePart(id: string, number: number): void {
    this.#statements.removePart.run(id, number)
  }

  hasFile(file: string): boolean {
    return this.#statements.hasFile.get(file) !== undefined
  }

  /** Removes an upload with its parts. */
  remove(id: string): void {
    this.#statements.remove.run(id)
  }
}

function prepare(database: IndexDatabase) {
  return {
    begin: database.prepare('INSERT INTO part_uploads (id, key, file, part_bytes) VALUES (?, ?, ?, ?)'),
    find: database.prepare('SELECT file, part_bytes AS partBytes FROM part_uploads WHERE id = ? AND key = ?'),
    parts: database.prepare('SELECT number, bytes, etag, modified FROM received_parts WHERE upload = ? ORDER BY number'),
    hasPart: database.prepare('SELECT 1 FROM received_parts WHERE upload = ? AND number = ?'),
    addPart: database.prepare('INSERT OR REPLACE INTO received_parts (upload, number, bytes, etag, modified) VALUES (?, ?, ?, ?, ?)'),
    removePart: database.prepare('DELETE FROM received_parts WHERE upload = ? AND number = ?'),
    hasFile: database.prepare('SELECT 1 FROM part_uploads WHERE file = ?'),
    remove: database.prepare('DELETE FROM part_uploads WHERE id = ?'),
  }
}
