/**
 * The layout of a TIFF file whose pixels are copied unchanged. Formats that libvips doesn't decode are converted this way: our code finds
 * the pixels, the TIFF header describes them, and libvips does the rest as for all pictures.
 */
export interface TiffLayout {
  width: number
  height: number
  /** 1, 8, 16 or 32, big-endian. 32 bits are floating point. */
  bits: number
  colour: 'whiteIsZero' | 'blackIsZero' | 'rgb' | 'palette' | 'cmyk'
  /** Samples a pixel, `alpha` included. */
  samples: number
  /** Whether the last sample is opacity, not premultiplied. */
  alpha?: boolean
  compression: 'none' | 'packBits'
  /** Whether samples are stored plane by plane instead of pixel by pixel. */
  planar: boolean
  /** Length in bytes of each strip in file order. A strip is one row (of one plane). */
  stripBytes: ArrayLike<number>
  /** ICC profile. */
  profile?: Uint8Array
  /** For `palette`: 256 reds, then greens, then blues, 0 to 255. */
  palette?: Uint8Array
}

const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5 }
const compressions = { none: 1, packBits: 32_773 }
const types = { short: 3, long: 4, undefined: 7 } as const
const widths = { short: 2, long: 4, undefined: 1 } as const
const fileHeaderBytes = 8
/** Value of SampleFormat. */
const FLOATING_POINT = 3

type Entry = [tag: number, type: keyof typeof types, values: ArrayLike<number>]

/** @returns the bytes before the first strip (classic TIFF: the whole file must be under 4 GiB) */
export function tiffHeader(layout: TiffLayout): Buffer {
  const offsets = new Float64Array(layout.stripBytes.length)
  const entries = directory(layout, offsets)
  const bytes = fileHeaderBytes + directoryBytes(entries)
  let offset = bytes
  for (let strip = 0; strip < offsets.length; strip++) {
    offsets[strip] = offset
    offset += layout.stripBytes[strip]!
  }
  return write(entries, bytes)
}

function directory(layout: TiffLayout, offsets: ArrayLike<number>): Entry[] {
  const entries: (Entry | undefined)[] = [
    [256, 'long', [layout.width]],
    [257, 'long', [layout.height]],
    [258, 'short', Array(layout.samples).fill(layout.bits)],
    [259, 'short', [compressions[layout.compression]]],
    [262, 'short', [photometric[layout.colour]]],
    [273, 'long', offsets],
    [277, 'short', [layout.samples]],
    [278, 'long', [1]],
    [279, 'long', layout.stripBytes],
    [284, 'short', [layout.planar ? 2 : 1]],
    layout.palette && [320, 'short', Array.from(layout.palette, (value) => value * 257)],
    layout.alpha ? [338, 'short', [2]] : undefined,
    layout.bits === 32 ? [339, 'short', Array(layout.samples).fill(FLOATING_POINT)] : undefined,
    layout.profile && [34_675, 'undefined', layout.profile],
  ]
  return entries.filter((entry) => entry !== undefined)
}

function valueBytes([, type, values]: Entry): number {
  return values.length * widths[type]
}

/** Values of up to 4 bytes are in the entry itself, longer ones after the directory at even offsets. */
function directoryBytes(entries: readonly Entry[]): number {
  const long = entries.map(valueBytes).filter((bytes) => bytes > 4)
  return 2 + entries.length * 12 + 4 + long.reduce((sum, bytes) => sum + bytes + (bytes % 2), 0)
}

function write(entries: readonly Entry[], bytes: number): Buffer {
  const header = Buffer.alloc(bytes)
  header.write('MM\0*', 'latin1')
  header.writeUInt32BE(fileHeaderBytes, 4)
  header.writeUInt16BE(entries.length, fileHeaderBytes)
  let at = fileHeaderBytes + 2
  let longAt = at + entries.length * 12 + 4
  for (const entry of entries) {
    const [tag, type, values] = entry
    header.writeUInt16BE(tag, at)
    header.writeUInt16BE(types[type], at + 2)
    header.writeUInt32BE(values.length, at + 4)
    const long = valueBytes(entry)
    const start = long > 4 ? longAt : at + 8
    for (let index = 0; index < values.length; index++) {
      header.writeUIntBE(values[index]!, start + index * widths[type], widths[type])
    }
    if (long > 4) {
      header.writeUInt32BE(start, at + 8)
      longAt += long + (long % 2)
    }
    at += 12
  }
  return header
}
