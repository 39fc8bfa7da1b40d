/** PNGs with more than one picture, many chunks, or metadata in odd places. */
import { deflateSync } from 'node:zlib'
import { u16, u32 } from './bytes.ts'
import { images } from './images.ts'
import { chunk, withChunks } from './png-chunk.ts'
import { quadrants } from './quadrants.ts'

export const oddPngs = {
  /** Two frames: the quarters, then black. */
  'animated.png': async () => {
    const { width, height } = quadrants
    const control = (sequence: number) =>
      chunk('fcTL', Buffer.concat([u32(sequence), u32(width), u32(height), u32(0), u32(0), u16(1), u16(10), Buffer.alloc(2)]))
    const black = deflateSync(Buffer.alloc((width * 3 + 1) * height))
    const plain = withChunks(await images['plain.png'](), chunk('acTL', Buffer.concat([u32(2), u32(0)])), control(0))
    return beforeEnd(plain, control(1), chunk('fdAT', Buffer.concat([u32(2), black])))
  },
  'many-texts.png': async () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => chunk('tEXt', Buffer.from(`Note ${index}\0a text`, 'latin1')))
    return withChunks(await images['plain.png'](), ...texts)
  },
  'texts-behind.png': async () => beforeEnd(await images['plain.png'](), chunk('tEXt', Buffer.from('Comment\0behind the image', 'latin1'))),
  'unknown-chunks.png': async () =>
    withChunks(await images['plain.png'](), chunk('prVt', Buffer.alloc(500, 7)), chunk('saFe', Buffer.alloc(9))),
  'trailer.png': async () => Buffer.concat([await images['plain.png'](), Buffer.from('something else '.repeat(100))]),
} satisfies { [name: string]: () => Promise<Buffer> }

const END_BYTES = 12

function beforeEnd(png: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, -END_BYTES), ...chunks, png.subarray(-END_BYTES)])
}
