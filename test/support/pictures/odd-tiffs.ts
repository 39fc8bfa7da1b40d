/** TIFFs with several pictures, strips and tiles. */
import { u16, u32 } from './bytes.ts'
import { quadrantImage } from './quadrants.ts'

const large = { width: 640, height: 480 }

export const oddTiffs = {
  /** Three pages of strips, the directories of which lie behind all pixels. */
  'pages.tif': async () => pages(),
  /** The picture and smaller copies of it, all in tiles. */
  'pyramid.tif': async () =>
    quadrantImage(large).tiff({ compression: 'jpeg', tile: true, tileWidth: 128, tileHeight: 128, pyramid: true }).toBuffer(),
  'cmyk.tif': async () => quadrantImage().toColourspace('cmyk').withIccProfile('cmyk').tiff({ compression: 'deflate' }).toBuffer(),
  'uncompressed.tif': async () => quadrantImage(large).tiff({ compression: 'none' }).toBuffer(),
} satisfies { [name: string]: () => Promise<Buffer> }

/** Offsets of 64 bits. */
export async function bigTiff(): Promise<Buffer> {
  return await quadrantImage().tiff({ compression: 'none', bigtiff: true }).toBuffer()
}

/** Three grey pages of 8 by 8 pixels, in four strips each. */
function pages(): Buffer {
  const pixels = Array.from({ length: 3 }, (_, page) => Buffer.from(Array.from({ length: 64 }, (_, at) => page * 64 + at)))
  const directories = 8 + 3 * 64
  const [entries, directoryBytes] = [9, 2 + 9 * 12 + 4 + 2 * 16]
  const page = (number: number) => {
    const start = directories + number * directoryBytes
    const lists = start + 2 + entries * 12 + 4
    const entry = (tag: number, type: 3 | 4, count: number, value: number) =>
      Buffer.concat([u16(tag), u16(type), u32(count), type === 3 ? Buffer.concat([u16(value), u16(0)]) : u32(value)])
    const strips = [0, 1, 2, 3].map((strip) => u32(8 + number * 64 + strip * 16))
    return Buffer.concat([
      u16(entries),
      ...[entry(256, 3, 1, 8), entry(257, 3, 1, 8), entry(258, 3, 1, 8), entry(259, 3, 1, 1), entry(262, 3, 1, 1)],
      ...[entry(273, 4, 4, lists), entry(277, 3, 1, 1), entry(278, 3, 1, 2), entry(279, 4, 4, lists + 16)],
      u32(number < 2 ? start + directoryBytes : 0),
      ...strips,
      ...[16, 16, 16, 16].map((bytes) => u32(bytes)),
    ])
  }
  const head = Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(directories)])
  return Buffer.concat([head, ...pixels, ...[0, 1, 2].map(page)])
}

/** 100,000 strips that are all the same 60,000 bytes: a copy would have 6 GB. */
export async function overlappingTiff(): Promise<Buffer> {
  const [strips, stripBytes] = [100_000, 60_000]
  const lists = 8 + 2 + 4 * 12 + 4
  const entry = (tag: number, count: number, value: number) => Buffer.concat([u16(tag), u16(4), u32(count), u32(value)])
  const entries = [entry(256, 1, 200), entry(257, 1, strips), entry(273, strips, lists), entry(279, strips, lists + strips * 4)]
  const list = (value: number) => Buffer.concat(Array.from({ length: strips }, () => u32(value)))
  const pixels = lists + strips * 8
  const head = Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(8), u16(entries.length), ...entries, u32(0)])
  return Buffer.concat([head, list(pixels), list(stripBytes), Buffer.alloc(stripBytes)])
}
