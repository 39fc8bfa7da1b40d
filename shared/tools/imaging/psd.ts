import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ToolFailed } from '../failure.ts'
import { invertPackBits, invertSamples } from './invert.ts'
import { type TiffLayout, tiffHeader } from './tiff.ts'
import { maxPixels } from './vips.ts'

/** Photoshop's colour modes as TIFF has them. Lab and multichannel pictures have no equal. */
const modes: { [mode: number]: { colour: TiffLayout['colour']; samples: number } } = {
  0: { colour: 'whiteIsZero', samples: 1 },
  1: { colour: 'blackIsZero', samples: 1 },
  2: { colour: 'palette', samples: 1 },
  3: { colour: 'rgb', samples: 3 },
  4: { colour: 'cmyk', samples: 4 },
  8: { colour: 'blackIsZero', samples: 1 },
}
const indexed = 2
const profileResource = 1039
/** Photoshop's own limit for its large format. */
const maxSide = 300_000
/** Sections larger than this are stepped over unread; colour profiles stand near the start of far smaller ones. */
const maxSectionBytes = 16 * 1024 ** 2

/**
 * Writes the flattened picture of a Photoshop file (PSD, PSB) as a TIFF file: its rows are already in TIFF's PackBits, plane by
 * plane, so they are copied. Format: Adobe Photoshop File Formats Specification.
 * @throws ToolFailed
 */
export async function psdToTiff(path: string, into: string): Promise<void> {
  const file = await open(path)
  try {
    const { layout, start, bytes } = await readLayout(file)
    const pixels = createReadStream(path, { start, end: start + bytes - 1 })
    const chain: (Readable | Transform)[] = [pixels]
    // Photoshop's CMYK says how much paper shows, TIFF's how much ink there is.
    if (layout.colour === 'cmyk') chain.push(layout.compression === 'packBits' ? invertPackBits() : invertSamples())
    await pipeline([Readable.from([tiffHeader(layout)]), createWriteStream(into)])
    await pipeline([...chain, createWriteStream(into, { flags: 'a' })])
  } finally {
    await file.close()
  }
}

async function readLayout(file: FileHandle): Promise<{ layout: TiffLayout; start: number; bytes: number }> {
  const read = (at: number, bytes: number) => readExactly(file, at, bytes)
  const header = await read(0, 26)
  const large = header.readUInt16BE(4) === 2
  const channels = header.readUInt16BE(12)
  const height = header.readUInt32BE(14)
  const width = header.readUInt32BE(18)
  const bits = header.readUInt16BE(22)
  const mode = header.readUInt16BE(24)
  const meaning = modes[mode]
  if (header.toString('latin1', 0, 4) !== '8BPS' || !meaning || ![1, 8, 16].includes(bits)) {
    throw new ToolFailed('not a Photoshop picture of a supported mode')
  }
  if (width * height === 0 || width * height > maxPixels || Math.max(width, height) > maxSide || channels < meaning.samples) {
    throw new ToolFailed('Photoshop picture of unusable size')
  }

  const modeData = await section(26)
  const resources = await section(modeData.end)
  const layers = await section(resources.end, large ? 8 : 4)
  const alpha = channels > meaning.samples && mode !== indexed && meaning.colour !== 'cmyk' && (await mergedAlpha(layers))
  const samples = meaning.samples + (alpha ? 1 : 0)
  const compression = (await read(layers.end, 2)).readUInt16BE(0)
  const strips = height * samples
  const dataAt = layers.end + 2
  const common = { width, height, bits, samples, alpha, colour: meaning.colour, planar: true }
  const profile = profileIn(await contents(resources))
  const palette = mode === indexed ? await contents(modeData) : undefined
  if (palette && palette.length < 768) throw new ToolFailed('Photoshop picture without its palette')
  const rest = { ...(profile && { profile }), ...(palette && { palette: palette.subarray(0, 768) }) }

  if (compression === 0) {
    const row = Math.ceil((width * bits) / 8)
    const layout: TiffLayout = { ...common, ...rest, compression: 'none', stripBytes: new Float64Array(strips).fill(row) }
    return { layout, start: dataAt, bytes: strips * row }
  }
  if (compression !== 1) throw new ToolFailed('Photoshop picture of unknown compression')
  const countBytes = large ? 4 : 2
  // The table has the rows of all channels, also of those that are left out behind.
  const table = await read(dataAt, strips * countBytes)
  const stripBytes = Float64Array.from({ length: strips }, (_, strip) => table.readUIntBE(strip * countBytes, countBytes))
  const bytes = stripBytes.reduce((sum, count) => sum + count, 0)
  const layout: TiffLayout = { ...common, ...rest, compression: 'packBits', stripBytes }
  return { layout, start: dataAt + height * channels * countBytes, bytes }

  async function section(at: number, lengthBytes = 4): Promise<{ start: number; end: number }> {
    const length = await read(at, lengthBytes)
    const start = at + lengthBytes
    return { start, end: start + (lengthBytes === 8 ? Number(length.readBigUInt64BE()) : length.readUInt32BE()) }
  }

  async function contents({ start, end }: { start: number; end: number }): Promise<Buffer> {
    return end - start > maxSectionBytes ? Buffer.alloc(0) : await read(start, end - start)
  }

  /** A negative count of layers says that the flattened picture has transparency. */
  async function mergedAlpha({ start, end }: { start: number; end: number }): Promise<boolean> {
    const countAt = start + (large ? 8 : 4)
    return end >= countAt + 2 && (await read(countAt, 2)).readInt16BE() < 0
  }
}

/** Image resources are blocks of `8BIM`, id, Pascal string, length and data, each part padded to even length. */
function profileIn(resources: Buffer): Buffer | undefined {
  let at = 0
  while (at + 12 <= resources.length && resources.toString('latin1', at, at + 4) === '8BIM') {
    const id = resources.readUInt16BE(at + 4)
    const nameBytes = 1 + resources[at + 6]!
    const lengthAt = at + 6 + nameBytes + (nameBytes % 2)
    if (lengthAt + 4 > resources.length) return undefined
    const length = resources.readUInt32BE(lengthAt)
    if (id === profileResource) return resources.subarray(lengthAt + 4, lengthAt + 4 + length)
    at = lengthAt + 4 + length + (length % 2)
  }
  return undefined
}

async function readExactly(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  if (position > Number.MAX_SAFE_INTEGER) throw new ToolFailed('Photoshop file with an impossible length')
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, position)
  if (bytesRead < bytes) throw new ToolFailed('Photoshop file ends early')
  return buffer
}
