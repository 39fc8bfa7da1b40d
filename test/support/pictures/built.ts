/** Files of formats that no library here writes, put together from their specifications. */
import { quadrantAt, quadrants } from './quadrants.ts'

const { width, height } = quadrants

type Sample = (x: number, y: number) => number

const red: Sample = (x, y) => quadrantAt(x, y)[0]
const green: Sample = (x, y) => quadrantAt(x, y)[1]
const blue: Sample = (x, y) => quadrantAt(x, y)[2]
const grey: Sample = (x, y) => (x < width / 2 ? 60 : 190) + (y < height / 2 ? 0 : 30)

export interface PsdOptions {
  mode: number
  planes: Sample[]
  bits?: 8 | 16
  packBits?: boolean
  palette?: Buffer
  /** The first plane past the mode's own is transparency. */
  transparency?: boolean
  large?: boolean
}

/** A Photoshop file with nothing but its flattened picture. */
export function psd({ mode, planes, bits = 8, packBits = true, palette, transparency = false, large = false }: PsdOptions): Buffer {
  const header = Buffer.alloc(26)
  header.write('8BPS', 'latin1')
  header.writeUInt16BE(large ? 2 : 1, 4)
  header.writeUInt16BE(planes.length, 12)
  header.writeUInt32BE(height, 14)
  header.writeUInt32BE(width, 18)
  header.writeUInt16BE(bits, 22)
  header.writeUInt16BE(mode, 24)
  const layerInfo = Buffer.alloc(transparency ? 2 : 0)
  if (transparency) layerInfo.writeInt16BE(-1)
  const layers = transparency ? sized(Buffer.concat([sized(layerInfo, large), u32(0)]), large) : sized(Buffer.alloc(0), large)
  const rows = planes.flatMap((sample) => Array.from({ length: height }, (_, y) => row(sample, y, bits)))
  const packed = rows.map((bytes) => (packBits ? pack(bytes) : bytes))
  const counts = packBits ? Buffer.concat(packed.map(({ length }) => (large ? u32(length) : u16(length)))) : Buffer.alloc(0)
  const resources = sized(Buffer.alloc(0), false)
  return Buffer.concat([
    header,
    sized(palette ?? Buffer.alloc(0), false),
    resources,
    layers,
    u16(packBits ? 1 : 0),
    counts,
    ...packed,
  ])
}

export const psds = {
  'rgb.psd': () => psd({ mode: 3, planes: [red, green, blue] }),
  'rgb-raw.psd': () => psd({ mode: 3, planes: [red, green, blue], packBits: false }),
  'rgb-16.psd': () => psd({ mode: 3, planes: [red, green, blue], bits: 16 }),
  'large.psb': () => psd({ mode: 3, planes: [red, green, blue], large: true }),
  'transparent.psd': () => psd({ mode: 3, planes: [red, green, blue, () => 128], transparency: true }),
  'extra-channel.psd': () => psd({ mode: 3, planes: [red, green, blue, () => 7] }),
  'grey.psd': () => psd({ mode: 1, planes: [grey] }),
  'indexed.psd': () => psd({ mode: 2, planes: [(x, y) => (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)], palette: indexedPalette() }),
  // Pure inks, as Photoshop stores them: 0 is full ink. Left cyan, right yellow.
  'cmyk.psd': () => psd({ mode: 4, planes: [(x) => (x < width / 2 ? 0 : 255), () => 255, (x) => (x < width / 2 ? 255 : 0), () => 255] }),
  'cmyk-raw.psd': () =>
    psd({ mode: 4, planes: [(x) => (x < width / 2 ? 0 : 255), () => 255, (x) => (x < width / 2 ? 255 : 0), () => 255], packBits: false }),
  'lab.psd': () => psd({ mode: 9, planes: [grey, () => 128, () => 128] }),
}

function indexedPalette(): Buffer {
  const palette = Buffer.alloc(768)
  for (const [index, [x, y]] of [
    [0, 0],
    [width - 1, 0],
    [0, height - 1],
    [width - 1, height - 1],
  ].entries()) {
    for (const [channel, value] of quadrantAt(x!, y!).entries()) palette[channel * 256 + index] = value
  }
  return palette
}

function row(sample: Sample, y: number, bits: number): Buffer {
  const values = Array.from({ length: width }, (_, x) => sample(x, y))
  return Buffer.from(bits === 16 ? values.flatMap((value) => [value, value]) : values)
}

/** PackBits with both kinds of run: repeats for all but the last three bytes of a stretch, literals for those. */
function pack(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let at = 0; at < bytes.length; ) {
    let run = 1
    while (run < 100 && bytes[at + run] === bytes[at]) run++
    if (run > 3) {
      out.push(257 - (run - 3), bytes[at]!)
      at += run - 3
    } else {
      out.push(0, bytes[at]!)
      at += 1
    }
  }
  return Buffer.from(out)
}

/** A Windows bitmap of the quarters. */
export function bmp(bits: 8 | 16 | 24 | 32, { topDown = false } = {}): Buffer {
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const masked = bits === 32
  const palette = bits === 8 ? bmpPalette() : Buffer.alloc(0)
  const masks = masked ? Buffer.concat([u32(0xff, true), u32(0xff00, true), u32(0xff0000, true)]) : Buffer.alloc(0)
  const start = 54 + palette.length + masks.length
  const file = Buffer.alloc(start + rowBytes * height)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(start, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(topDown ? -height : height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(bits, 28)
  file.writeUInt32LE(masked ? 3 : 0, 30)
  Buffer.concat([masks, palette]).copy(file, 54)
  for (let y = 0; y < height; y++) {
    const from = start + (topDown ? y : height - 1 - y) * rowBytes
    for (let x = 0; x < width; x++) {
      const [r, g, b] = quadrantAt(x, y)
      if (bits === 8) file[from + x] = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)
      if (bits === 16) file.writeUInt16LE(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3), from + x * 2)
      if (bits === 24) file.set([b, g, r], from + x * 3)
      if (bits === 32) file.set([r, g, b, 0], from + x * 4)
    }
  }
  return file
}

function bmpPalette(): Buffer {
  const palette = Buffer.alloc(1024)
  for (let index = 0; index < 4; index++) {
    const [r, g, b] = quadrantAt(index % 2 ? width - 1 : 0, index > 1 ? height - 1 : 0)
    palette.set([b, g, r, 0], index * 4)
  }
  return palette
}

/** A raw photo in Adobe's format: a sensor picture that nobody here reads and a JPEG preview. */
export function dng(preview: Buffer, orientation: number): Buffer {
  const directory: [tag: number, type: number, count: number, value: Buffer | number][] = [
    [254, 4, 1, u32(1)],
    [256, 4, 1, u32(quadrants.width)],
    [257, 4, 1, u32(quadrants.height)],
    [258, 3, 1, u16(8)],
    [259, 3, 1, u16(7)],
    [262, 3, 1, u16(6)],
    [273, 4, 1, 0],
    [274, 3, 1, u16(orientation)],
    [277, 3, 1, u16(3)],
    [278, 4, 1, u32(quadrants.height)],
    [279, 4, 1, u32(preview.length)],
    [50_706, 1, 4, Buffer.from([1, 4, 0, 0])],
    [50_708, 2, 4, Buffer.from('Cam\0')],
  ]
  const start = 8 + 2 + directory.length * 12 + 4
  const entries = directory.map(([tag, type, count, value]) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    if (typeof value === 'number') bytes.writeUInt32BE(start, 8)
    else value.copy(bytes, 8)
    return bytes
  })
  return Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(8), u16(directory.length), ...entries, u32(0), preview])
}

/** An MP4 file of which there is nothing but the list of its tracks. */
export function mp4(tracks: ('vide' | 'soun')[], brand = 'isom'): Buffer {
  const handler = (type: string) => box('hdlr', Buffer.concat([u32(0), u32(0), Buffer.from(type, 'latin1'), Buffer.alloc(13)]))
  const trak = tracks.map((type) => box('trak', box('mdia', handler(type))))
  // The movie box stands behind the data, as cameras write it.
  return Buffer.concat([
    box('ftyp', Buffer.concat([Buffer.from(brand, 'latin1'), u32(0)])),
    box('mdat', Buffer.alloc(1_000)),
    box('moov', Buffer.concat(trak)),
  ])
}

/** A Matroska file of which there is nothing but the list of its tracks (1 pictures, 2 sound). */
export function matroska(tracks: (1 | 2)[], type = 'matroska'): Buffer {
  const entries = tracks.map((track) => element('ae', element('83', Buffer.from([track]))))
  const head = element('1a45dfa3', element('4282', Buffer.from(type)))
  return Buffer.concat([head, element('18538067', Buffer.concat([element('1654ae6b', Buffer.concat(entries)), element('1f43b675', Buffer.alloc(50))]))])
}

function box(type: string, contents: Buffer): Buffer {
  return Buffer.concat([u32(contents.length + 8), Buffer.from(type, 'latin1'), contents])
}

function element(id: string, contents: Buffer): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), u16(0x4000 | contents.length), contents])
}

function sized(contents: Buffer, large: boolean): Buffer {
  return Buffer.concat([...(large ? [u32(0)] : []), u32(contents.length), contents])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number, littleEndian = false): Buffer {
  const bytes = Buffer.alloc(4)
  if (littleEndian) bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}
