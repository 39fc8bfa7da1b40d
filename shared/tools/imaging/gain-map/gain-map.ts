import { type FileHandle, open, writeFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { ToolFailed } from '../../failure.ts'
import { pixelsOf } from '../geometry.ts'
import { APP1, headOf, segmentOf, withSegments } from '../jpeg-segments.ts'
import { awaitedTime, checkDecodedBytes, sampleBytes } from '../limits.ts'
import { wholeSize } from '../sized-image.ts'
import { type Dimensions, type Region, scaledBy } from '../sizes.ts'
import { decodePixels, decoding, type Header, openImage, rawImage, readHeader } from '../vips.ts'
import { baseSegments, type GainMapMetadata, gainMapMetadata, mapSegments } from './metadata.ts'
import { furtherPictures, joinPictures, type PicturePlace } from './multi-picture.ts'

/** A picture that says how much brighter another one is where a screen can show it (Ultra HDR, ISO 21496-1). */
export interface GainMap {
  metadata: GainMapMetadata
  /** A JPEG of the map alone, which lies as the picture does. */
  path: string
  header: Header
}

/** Bytes at the beginning of a file that are read, and of a map. */
const MAX_HEAD = 1024 ** 2
const MAX_MAP = 64 * 1024 ** 2

/**
 * Finds the gain map of a JPEG, and writes it to a file of its own. libvips could keep gain maps, but it moves them off the picture where that is cut
 * or stored turned, and drops the labels.
 * @param header of the file at `path`
 * @returns undefined where there is none that can be used
 */
export async function findGainMap(path: string, { format, orientation = 1 }: Header): Promise<GainMap | undefined> {
  if (format !== 'jpeg') return undefined
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = headOf(await read(file, { start: 0, length: Math.min(size, MAX_HEAD) }))
    for (const place of head ? furtherPictures(head.segments) : []) {
      if (place.length > MAX_MAP || place.start + place.length > size) continue
      const found = await gainMapAt(file, place, { path: `${path}.gain-map`, orientation })
      if (found) return found
    }
    return undefined
  } finally {
    await file.close()
  }
}

async function gainMapAt(
  file: FileHandle,
  place: PicturePlace,
  { path, orientation }: { path: string; orientation: number },
): Promise<GainMap | undefined> {
  const jpeg = await read(file, place)
  const metadata = gainMapMetadata(headOf(jpeg)?.segments ?? [])
  const bare = metadata && withSegments(jpeg, () => false, [segmentOf(APP1, exifOf(orientation))])
  if (!bare) return undefined
  await writeFile(path, bare)
  try {
    return { metadata, path, header: await readHeader(path) }
  } catch (error) {
    // The picture is shown without it.
    if (error instanceof ToolFailed) return undefined
    throw error
  }
}

async function read(file: FileHandle, { start, length }: PicturePlace): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** EXIF that says an orientation alone. */
function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(32)
  Buffer.from('45786966000049492a00080000000100120103000100', 'hex').copy(exif)
  exif.writeUInt16LE(orientation, 24)
  return exif
}

export interface WantedMap {
  /** What of the picture is shown, and its pixels. */
  region: Region | undefined
  target: Dimensions
  /** Of the picture before. */
  original: Dimensions
  /** Mirrors and turns. */
  arrange(image: Sharp): Sharp
}

/**
 * Renders the gain map of a picture that was cut and made smaller, with its metadata: of the same part, and as much smaller than the picture as it was.
 * A cut is made at the size of the picture, because pixels of the map are too large for that.
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
export async function renderGainMap(
  { metadata, path, header }: GainMap,
  { region, target, original, arrange }: WantedMap,
): Promise<Buffer> {
  const scale = Math.min(1, header.autoOrient.width / original.width)
  const size = { ...scaledBy(scale, target), fit: 'fill' } as const
  const opened = openImage(path, { stored: true, ignoresProfile: true, time: awaitedTime })
  const sized = region ? (await cut(opened, header, { region, target, original })).resize(size) : opened.resize(size).autoOrient()
  const isGrey = header.channels === 1
  const toned = arrange(sized).toColourspace(isGrey ? 'b-w' : 'srgb')
  const encoded = await decoding(toned.jpeg({ quality: 85, chromaSubsampling: '4:4:4' }).toBuffer(), awaitedTime)
  const map = withSegments(encoded, () => false, mapSegments(metadata))
  if (!map) throw new Error('libvips has written no JPEG')
  return map
}

async function cut(
  opened: Sharp,
  header: Header,
  { region, target, original }: Pick<WantedMap, 'original' | 'target'> & { region: Region },
) {
  const { resized, at } = wholeSize(pixelsOf(region, original), original, target)
  checkDecodedBytes(sampleBytes({ ...target, channels: header.channels, bits: 8 }))
  const part = opened
    .resize({ ...resized, fit: 'fill' })
    .extract({ ...at, ...target })
    .autoOrient()
  return rawImage(await decodePixels(part, awaitedTime))
}

/** A JPEG with its gain map. */
export const withGainMap = (picture: Buffer, map: Buffer, { metadata }: GainMap): Buffer =>
  joinPictures(picture, map, baseSegments(metadata))
