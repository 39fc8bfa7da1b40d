/** PNGs with more than one picture, many chunks, or metadata in odd places. */
import { deflateSync } from 'node:zlib'
import { u16, u32 } from './bytes.ts'
import { images } from './images.ts'
import { chunk, withChunks } from './png-chunk.ts'
import { quadrants } from './quadrants.ts'

export const oddPngs = {
  'animated.png': animated,
  'many-texts.png': async () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => chunk('tEXt', Buffer.from(`Note ${index}\0a text`, 'latin1')))
    return withChunks(await images['plain.png'](), ...texts)
  },
  /** As ImageMagick writes them. */
  'dates-behind.png': async () =>
    beforeEnd(
      withChunks(await images['plain.png'](), text('Software', 'a program')),
      ...['date:create', 'date:modify', 'date:timestamp'].map((name) => text(name, '2026-01-02T03:04:05+00:00')),
    ),
  'xmp-behind.png': async () => beforeEnd(await images['plain.png'](), xmp('Behind')),
  'exif-behind.png': async () => beforeEnd(await images['plain.png'](), chunk('eXIf', exif('Behind the image'))),
  'animated-texts-behind.png': async () =>
    beforeEnd(await animated(), text('Comment', 'behind all frames'), xmp('Behind'), text('Comment', 'the last')),
  'trailer.png': async () => Buffer.concat([await images['plain.png'](), Buffer.from('something else '.repeat(100))]),
} satisfies { [name: string]: () => Promise<Buffer> }

/** PNGs that say the same twice. */
export const ambiguousPngs = {
  'two-xmps.png': async () => beforeEnd(withChunks(await images['plain.png'](), xmp('Before')), xmp('Behind')),
} satisfies { [name: string]: () => Promise<Buffer> }

/** Two frames: the quarters, then black. */
async function animated(): Promise<Buffer> {
  const { width, height } = quadrants
  const control = (sequence: number) =>
    chunk('fcTL', Buffer.concat([u32(sequence), u32(width), u32(height), u32(0), u32(0), u16(1), u16(10), Buffer.alloc(2)]))
  const black = deflateSync(Buffer.alloc((width * 3 + 1) * height))
  const plain = withChunks(await images['plain.png'](), chunk('acTL', Buffer.concat([u32(2), u32(0)])), control(0))
  return beforeEnd(plain, control(1), chunk('fdAT', Buffer.concat([u32(2), black])))
}

function text(keyword: string, value: string): Buffer {
  return chunk('tEXt', Buffer.from(`${keyword}\0${value}`, 'latin1'))
}

function xmp(title: string): Buffer {
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">' +
    `${title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`
  return chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${packet}`))
}

/** A TIFF structure whose one entry is the artist. */
function exif(artist: string): Buffer {
  const value = Buffer.from(`${artist}\0`)
  return Buffer.concat([Buffer.from('4d4d002a00000008', 'hex'), u16(1), u16(0x013b), u16(2), u32(value.length), u32(26), u32(0), value])
}

const END_BYTES = 12

function beforeEnd(png: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, -END_BYTES), ...chunks, png.subarray(-END_BYTES)])
}
