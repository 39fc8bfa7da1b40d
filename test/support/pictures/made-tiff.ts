/** TIFFs of any kind, by hand. */
import { quadrantAt, quadrants } from './quadrants.ts'

export interface TiffPage {
  width?: number
  height?: number
  /** Of the pixel at a place, each in `sampleBytes`. */
  samples?: (x: number, y: number) => readonly number[]
  kind?: 'uint8' | 'uint16' | 'int8' | 'int16' | 'uint32' | 'float32'
  photometric?: number
  /** TIFF's number; the pixels stay as they are. */
  compression?: number
  subfileType?: number
  /** In tiles of 32 by 32 pixels. */
  tiled?: boolean
  subifd?: TiffPage
}

const kinds = {
  uint8: { bits: 8, format: 1, write: (bytes: Buffer, value: number, at: number) => bytes.writeUInt8(value, at) },
  int8: { bits: 8, format: 2, write: (bytes: Buffer, value: number, at: number) => bytes.writeInt8(value, at) },
  uint16: { bits: 16, format: 1, write: (bytes: Buffer, value: number, at: number) => bytes.writeUInt16LE(value, at) },
  int16: { bits: 16, format: 1, write: (bytes: Buffer, value: number, at: number) => bytes.writeUInt16LE(value & 0xffff, at) },
  uint32: { bits: 32, format: 1, write: (bytes: Buffer, value: number, at: number) => bytes.writeUInt32LE(value, at) },
  float32: { bits: 32, format: 3, write: (bytes: Buffer, value: number, at: number) => bytes.writeFloatLE(value, at) },
}

/** A little-endian TIFF of these pages; with `big` a BigTIFF. */
export function madeTiff(pages: readonly TiffPage[], { big = false } = {}): Buffer {
  const parts: Buffer[] = [Buffer.alloc(big ? 16 : 8)]
  let length = parts[0]!.length
  const add = (bytes: Buffer) => {
    parts.push(bytes, Buffer.alloc(bytes.length % 2))
    length += bytes.length + (bytes.length % 2)
    return length - bytes.length - (bytes.length % 2)
  }
  const number = (value: number, width: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    return bytes.subarray(0, width)
  }
  const offsetBytes = big ? 8 : 4
  const write = (page: TiffPage, next: number): number => {
    const { width = quadrants.width, height = quadrants.height, kind = 'uint8', photometric = 2, compression = 1, tiled, subifd } = page
    const { bits, format, write: writeSample } = kinds[kind]
    const samplesAt = page.samples ?? ((x, y) => quadrantAt(x, y, { width, height }))
    const channels = samplesAt(0, 0).length
    const rows = (left: number, top: number, columns: number, lines: number) => {
      const bytes = Buffer.alloc((columns * lines * channels * bits) / 8)
      for (let y = 0; y < lines; y++) {
        for (let x = 0; x < columns; x++) {
          const samples = samplesAt(Math.min(left + x, width - 1), Math.min(top + y, height - 1))
          for (const [index, value] of samples.entries()) writeSample(bytes, value, (((y * columns + x) * channels + index) * bits) / 8)
        }
      }
      return bytes
    }
    const chunks = tiled ? [0, 32].flatMap((top) => [0, 32].map((left) => rows(left, top, 32, 32))) : [rows(0, 0, width, height)]
    const offsets = chunks.map(add)
    const sub = subifd && write(subifd, 0)
    const entries: Buffer[] = []
    const entry = (tag: number, type: 3 | 4, values: readonly number[]) => {
      const bytes = Buffer.concat(values.map((value) => number(value, type === 3 ? 2 : 4)))
      const place =
        bytes.length > offsetBytes ? number(add(bytes), offsetBytes) : Buffer.concat([bytes, Buffer.alloc(offsetBytes - bytes.length)])
      entries.push(Buffer.concat([number(tag, 2), number(type, 2), number(values.length, offsetBytes), place]))
    }
    if (page.subfileType !== undefined) entry(254, 4, [page.subfileType])
    entry(256, 4, [width])
    entry(257, 4, [height])
    entry(258, 3, Array(channels).fill(bits))
    entry(259, 3, [compression])
    entry(262, 3, [photometric])
    if (!tiled) entry(273, 4, offsets)
    entry(277, 3, [channels])
    if (!tiled) entry(278, 4, [height])
    if (!tiled)
      entry(
        279,
        4,
        chunks.map((chunk) => chunk.length),
      )
    if (tiled) entry(322, 4, [32])
    if (tiled) entry(323, 4, [32])
    if (tiled) entry(324, 4, offsets)
    if (tiled)
      entry(
        325,
        4,
        chunks.map((chunk) => chunk.length),
      )
    if (sub !== undefined) entry(330, 4, [sub])
    entry(339, 3, Array(channels).fill(format))
    return add(Buffer.concat([number(entries.length, big ? 8 : 2), ...entries, number(next, offsetBytes)]))
  }
  const first = pages.toReversed().reduce((next, page) => write(page, next), 0)
  const header = big
    ? Buffer.concat([Buffer.from('49492b0008000000', 'hex'), number(first, 8)])
    : Buffer.concat([Buffer.from('49492a00', 'hex'), number(first, 4)])
  header.copy(parts[0]!)
  return Buffer.concat(parts)
}

/** CIE L*a*b* (D50) of the quarters, rounded, by Little CMS: a* and b* around 0. */
const quadrantLabs = [
  [48, 69, 52],
  [71, -63, 61],
  [30, 50, -92],
  [87, -5, 80],
] as const

/** The quarters in Lab: L* from 0 to 100. */
export function labAt(x: number, y: number, { width, height } = quadrants): readonly [number, number, number] {
  return quadrantLabs[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!
}
