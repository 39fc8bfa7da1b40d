import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ToolFailed } from '../failure.ts'
import { invertPackBits, invertSamples } from './invert.ts'
import { labProfile } from './lab-profile.ts'
import { checkDecodedBytes, checkDimensions, checkHeldBytes, sampleBytes } from './limits.ts'
import { iccProfile } from './psd-resources.ts'
import { type TiffLayout, tiffHeader } from './tiff.ts'

/** TIFF's equivalents of Photoshop's colour modes. Multichannel has none. */
const modes: { [mode: number]: Pick<Header, 'colour' | 'samples' | 'isLab'> } = {
  0: { colour: 'whiteIsZero', samples: 1 },
  1: { colour: 'blackIsZero', samples: 1 },
  2: { colour: 'palette', samples: 1 },
  3: { colour: 'rgb', samples: 3 },
  4: { colour: 'cmyk', samples: 4 },
  8: { colour: 'blackIsZero', samples: 1 },
  9: { colour: 'rgb', samples: 3, isLab: true },
}
/** Modes whose first channel after the colours can be transparency. */
const withTransparency = ['blackIsZero', 'rgb']
/** Most bytes of pixels that one byte of PackBits encodes. */
const packBitsRatio = 64
/** Photoshop's own limit for its large format. */
const maxSide = 300_000
/** Larger sections are not read. Colour profiles are near the start of far smaller ones. */
const maxSectionBytes = 16 * 1024 ** 2
const paletteBytes = 768

interface Header {
  /** The format with wider lengths, PSB. */
  large: boolean
  channels: number
  width: number
  height: number
  bits: number
  colour: TiffLayout['colour']
  /** Channels that are colours. */
  samples: number
  /** Its samples are CIE L*a*b*, which needs a special profile. */
  isLab?: true
}

/** A part of the file; `end` is not included. */
interface Section {
  start: number
  end: number
}

/** How the flattened picture is stored. */
interface Pixels {
  layout: Pick<TiffLayout, 'compression' | 'stripBytes'>
  start: number
  bytes: number
}

/**
 * Writes the flattened picture of a Photoshop file (PSD, PSB) as a TIFF file: its rows already are TIFF's PackBits, plane by plane, so they
 * are copied. Format: Adobe Photoshop File Formats Specification. ImageMagick would hold file and pixels in memory: for 24 megapixels it
 * takes 6 times the time and 4.5 times the memory.
 * @throws ToolFailed
 */
export async function psdToTiff(path: string, into: string): Promise<void> {
  const file = await open(path)
  try {
    const header = await readHeader(file)
    const { large, width, height, bits, colour } = header
    const modeData = await readSection(file, 26)
    const resources = await readSection(file, modeData.end)
    const layers = await readSection(file, resources.end, large ? 8 : 4)
    const alpha = await hasTransparency(file, header, layers)
    const samples = header.samples + (alpha ? 1 : 0)
    const pixels = await readPixels(file, header, samples, layers.end)
    // Planes come one after the other, so a truncated file lacks whole colours.
    if ((await file.stat()).size < pixels.start + pixels.bytes) throw new ToolFailed('Photoshop file ends early')
    const profile = await profileOf(file, header, resources)
    const palette = colour === 'palette' ? await readPalette(file, modeData) : undefined
    const common = { width, height, bits, colour, samples, alpha, planar: true, ...pixels.layout }
    await writeFile(into, tiffHeader({ ...common, ...(profile && { profile }), ...(palette && { palette }) }))
    await copyPixels(path, pixels, colour, into)
  } finally {
    await file.close()
  }
}

async function readHeader(file: FileHandle): Promise<Header> {
  const header = await read(file, 0, 26)
  const [channels, height, width] = [header.readUInt16BE(12), header.readUInt32BE(14), header.readUInt32BE(18)]
  const bits = header.readUInt16BE(22)
  const mode = modes[header.readUInt16BE(24)]
  if (header.toString('latin1', 0, 4) !== '8BPS' || !mode || ![1, 8, 16, 32].includes(bits)) {
    throw new ToolFailed('not a Photoshop picture of a supported mode')
  }
  checkDimensions({ width, height }, maxSide)
  if (channels < mode.samples) throw new ToolFailed('Photoshop picture without all its colours')
  return { large: header.readUInt16BE(4) === 2, channels, width, height, bits, ...mode }
}

/** 32-bit samples are linear light, which profiles don't describe. */
async function profileOf(file: FileHandle, { isLab, bits }: Header, resources: Section): Promise<Buffer | undefined> {
  if (isLab) return labProfile(false)
  return bits === 32 ? undefined : iccProfile(await contents(file, resources))
}

/** A negative number of layers means that the flattened picture has transparency. */
async function hasTransparency(file: FileHandle, { large, channels, samples, colour }: Header, layers: Section): Promise<boolean> {
  const countAt = layers.start + (large ? 8 : 4)
  if (channels <= samples || !withTransparency.includes(colour) || layers.end < countAt + 2) return false
  return (await read(file, countAt, 2)).readInt16BE() < 0
}

async function readPixels(
  file: FileHandle,
  { large, channels, width, height, bits }: Header,
  samples: number,
  at: number,
): Promise<Pixels> {
  const decoded = sampleBytes({ width, height: height * samples, channels: 1, bits })
  checkDecodedBytes(decoded)
  const compression = (await read(file, at, 2)).readUInt16BE()
  const strips = height * samples
  if (compression === 0) {
    const rowBytes = Math.ceil((width * bits) / 8)
    return { layout: { compression: 'none', stripBytes: new Float64Array(strips).fill(rowBytes) }, start: at + 2, bytes: decoded }
  }
  if (compression !== 1) throw new ToolFailed('Photoshop picture of unknown compression')
  // The lengths of all channels' rows precede the first row. Those of omitted channels are last.
  const countBytes = large ? 4 : 2
  const counts = await read(file, at + 2, strips * countBytes)
  const stripBytes = Float64Array.from({ length: strips }, (_, strip) => counts.readUIntBE(strip * countBytes, countBytes))
  const bytes = stripBytes.reduce((sum, count) => sum + count, 0)
  checkDecodedBytes(bytes)
  checkHeldBytes({ stored: decoded / packBitsRatio, held: bytes })
  return { layout: { compression: 'packBits', stripBytes }, start: at + 2 + height * channels * countBytes, bytes }
}

async function readPalette(file: FileHandle, modeData: Section): Promise<Buffer> {
  const palette = (await contents(file, modeData)).subarray(0, paletteBytes)
  if (palette.length < paletteBytes) throw new ToolFailed('Photoshop picture without its palette')
  return palette
}

async function copyPixels(path: string, { layout, start, bytes }: Pixels, colour: TiffLayout['colour'], into: string): Promise<void> {
  if (bytes === 0) throw new ToolFailed('Photoshop picture without pixels')
  const source = createReadStream(path, { start, end: start + bytes - 1 })
  const target = createWriteStream(into, { flags: 'a' })
  // Photoshop's CMYK is inverted: 0 is full ink, in TIFF it is no ink.
  if (colour === 'cmyk') await pipeline(source, layout.compression === 'packBits' ? invertPackBits() : invertSamples(), target)
  else await pipeline(source, target)
}

async function readSection(file: FileHandle, at: number, lengthBytes = 4): Promise<Section> {
  const length = await read(file, at, lengthBytes)
  const start = at + lengthBytes
  return { start, end: start + (lengthBytes === 8 ? Number(length.readBigUInt64BE()) : length.readUInt32BE()) }
}

async function contents(file: FileHandle, { start, end }: Section): Promise<Buffer> {
  return end - start > maxSectionBytes ? Buffer.alloc(0) : await read(file, start, end - start)
}

async function read(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  if (position > Number.MAX_SAFE_INTEGER) throw new ToolFailed('Photoshop file with an impossible length')
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, position)
  if (bytesRead < bytes) throw new ToolFailed('Photoshop file ends early')
  return buffer
}
