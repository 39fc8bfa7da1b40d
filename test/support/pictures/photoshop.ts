import { u16, u32 } from './bytes.ts'
import { labAt } from './made-tiff.ts'
import { quadrantAt, quadrantGreys, quadrants } from './quadrants.ts'

const { width, height } = quadrants

type Sample = (x: number, y: number) => number

const red: Sample = (x, y) => quadrantAt(x, y)[0]
const green: Sample = (x, y) => quadrantAt(x, y)[1]
const blue: Sample = (x, y) => quadrantAt(x, y)[2]
const grey: Sample = (x, y) => quadrantGreys[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!

const lab: Sample[] = [(x, y) => Math.round(labAt(x, y)[0] * 2.55), (x, y) => labAt(x, y)[1] + 128, (x, y) => labAt(x, y)[2] + 128]

export interface PsdOptions {
  mode: number
  planes: Sample[]
  bits?: 8 | 16 | 32
  packBits?: boolean
  palette?: Buffer
  /** The first plane past the mode's own is transparency. */
  transparency?: boolean
  large?: boolean
  /** ICC profile. */
  profile?: Buffer
}

/** A Photoshop file with nothing but its flattened picture. */
export function psd({
  mode,
  planes,
  bits = 8,
  packBits = true,
  palette,
  transparency = false,
  large = false,
  profile,
}: PsdOptions): Buffer {
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
  const resources = sized(profile ? Buffer.concat([resource(1036, Buffer.from('odd')), resource(1039, profile)]) : Buffer.alloc(0), false)
  return Buffer.concat([header, sized(palette ?? Buffer.alloc(0), false), resources, layers, u16(packBits ? 1 : 0), counts, ...packed])
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
  'lab.psd': () => psd({ mode: 9, planes: lab }),
  'lab-16.psd': () => psd({ mode: 9, planes: lab, bits: 16, packBits: false }),
  // Of 32 bits it has light.
  'rgb-32.psd': () => psd({ mode: 3, planes: [red, green, blue], bits: 32, packBits: false }),
  'rgb-32-packed.psd': () => psd({ mode: 3, planes: [red, green, blue], bits: 32 }),
  'grey-32.psd': () => psd({ mode: 1, planes: [grey], bits: 32, packBits: false }),
  'multichannel.psd': () => psd({ mode: 7, planes: [red, green, blue] }),
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
  if (bits !== 32) return Buffer.from(bits === 16 ? values.flatMap((value) => [value, value]) : values)
  const light = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) light.writeFloatBE((value / 255) ** 2.2, index * 4)
  return light
}

/** A large Photoshop file, of 420 KB, whose 105,000 rows claim to take 64 KiB each: 6.9 GB. */
export function psdOfHugeRows(): Buffer {
  const rows = 35_000
  const file = psd({ mode: 3, planes: [], large: true })
  const header = Buffer.from(file.subarray(0, file.length - 2))
  header.writeUInt16BE(3, 12)
  header.writeUInt32BE(rows, 14)
  const counts = Buffer.concat(Array.from({ length: rows * 3 }, () => u32(65_536)))
  return Buffer.concat([header, u16(1), counts])
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

/** An image resource without name. */
function resource(id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from('8BIM'), u16(id), u16(0), u32(data.length), data, Buffer.alloc(data.length % 2)])
}

function sized(contents: Buffer, large: boolean): Buffer {
  return Buffer.concat([...(large ? [u32(0)] : []), u32(contents.length), contents])
}
