import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { EntryFile } from '../../shared/library/stock/items.ts'

/** A file of an entry of the stock catalogue, of bytes in memory. */
export function fileOf(bytes: Uint8Array, name = 'file.jpg'): EntryFile {
  return {
    name,
    bytes: bytes.length,
    open: async () => Readable.from([Buffer.from(bytes)], { objectMode: false }),
    sha256: async () => hash('sha256', bytes),
  }
}
