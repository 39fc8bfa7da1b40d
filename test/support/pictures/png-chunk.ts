import { crc32 } from 'node:zlib'
import { u32 } from './bytes.ts'

/** A chunk of a PNG with its length and checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

/** Puts chunks behind a PNG's first one. */
export function withChunks(png: Buffer, ...chunks: readonly Buffer[]): Buffer {
  const end = 8 + 25
  return Buffer.concat([png.subarray(0, end), ...chunks, png.subarray(end)])
}
