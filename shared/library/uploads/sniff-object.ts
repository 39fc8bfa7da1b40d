import { buffer } from 'node:stream/consumers'
import { ObjectChanged, ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { Sniffed } from '../../tools/sniffing/sniffed.ts'
import { type RandomBytes, sniffBytes } from '../../tools/sniffing.ts'

const BLOCK_BYTES = 256 * 1024
/** Most blocks that are read. Most types need one or two. */
const MOST_BLOCKS = 64

/**
 * Detects the type of an object from its bytes only, as that of a file. Reads no more of it than that takes.
 * @throws ObjectMissing, ObjectChanged, ObjectsUnavailable
 */
export async function sniffObject(objects: ObjectReader, key: string): Promise<Sniffed> {
  const object = await objects.head(key)
  if (!object) throw new ObjectMissing(key)
  const { bytes: size, etag } = object
  const blocks = new Map<number, Promise<Buffer>>()
  let failure: unknown
  async function read(index: number): Promise<Buffer> {
    const start = index * BLOCK_BYTES
    const got = await objects.get(key, { start, end: Math.min(start + BLOCK_BYTES, size) - 1 })
    if (got.etag === etag) return buffer(got.stream)
    got.stream.destroy()
    throw new ObjectChanged(key)
  }
  async function block(index: number): Promise<Buffer> {
    // The detector takes this for the end of a file that it doesn't know.
    if (blocks.size === MOST_BLOCKS && !blocks.has(index)) throw new RangeError('too many blocks')
    const reading = blocks.get(index) ?? read(index)
    blocks.set(index, reading)
    return reading.catch((error: unknown) => {
      failure ??= error
      throw error
    })
  }
  async function slice(start: number, end: number): Promise<Buffer> {
    const [first, last] = [Math.floor(start / BLOCK_BYTES), Math.floor((end - 1) / BLOCK_BYTES)]
    const pieces = await Promise.all(Array.from({ length: last - first + 1 }, (_, n) => block(first + n)))
    return Buffer.concat(pieces).subarray(start - first * BLOCK_BYTES, end - first * BLOCK_BYTES)
  }
  const bytes: RandomBytes = { size, slice: (start, end) => ({ arrayBuffer: async () => Uint8Array.from(await slice(start, end)).buffer }) }
  const sniffed = await sniffBytes(bytes)
  // The detector takes every error for an unknown type.
  if (failure) throw failure
  return sniffed
}
