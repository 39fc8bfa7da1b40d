import type { Readable } from 'node:stream'

/** Splits a stream into blocks of exactly `size` bytes. The last may be shorter; none is empty. */
export async function* inBlocks(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (let chunk of stream as AsyncIterable<Buffer>) {
    while (bytes + chunk.length >= size) {
      yield Buffer.concat([...waiting, chunk.subarray(0, size - bytes)])
      chunk = chunk.subarray(size - bytes)
      waiting = []
      bytes = 0
    }
    if (chunk.length > 0) waiting.push(chunk)
    bytes += chunk.length
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
