import type { FileHandle } from 'node:fs/promises'
import mediaInfoFactory, { type MediaInfoResult, type VideoTrack } from 'mediainfo.js'

/** Pixels. */
export interface Size {
  width: number
  height: number
}

const isSide = (pixels: number) => Number.isInteger(pixels) && pixels > 0 && pixels < 1_000_000

/** Whether a picture can have that size. */
export const isSize = ({ width, height }: Size): boolean => isSide(width) && isSide(height)

/** Bytes of one read. Small, because MediaInfo skips the frames of an AVI file that ends within the first read. */
const CHUNK = 16 * 1024

/**
 * The size of a film as shown: with square pixels, turned upright. MediaInfo supports all containers and codecs of films, and all sources
 * of the pixel aspect ratio: MPEG sequence headers, the VUI of H.264 and HEVC, AVI's `vprp`, MXF descriptors, DV packs. If several exist,
 * the container's wins.
 * @returns undefined if there is no video, or its size is unknown
 * @throws Error for files that take too much memory
 */
export async function shownSize(handle: FileHandle): Promise<Size | undefined> {
  const video = (await readMediaInfo(handle)).media?.track.find((track) => track['@type'] === 'Video')
  const { Width: width = 0, Height: height = 0, Rotation = '0' } = video ?? {}
  if (!video || !isSize({ width, height })) return undefined
  const stretched = withSquarePixels({ width, height }, aspectOf(video))
  const upright = isSize(stretched) ? stretched : { width, height }
  return Math.abs(Number.parseFloat(Rotation)) % 180 === 90 ? { width: upright.height, height: upright.width } : upright
}

async function readMediaInfo(handle: FileHandle): Promise<MediaInfoResult> {
  const mediaInfo = await mediaInfoFactory({ format: 'object', chunkSize: CHUNK })
  return mediaInfo.analyzeData(
    async () => (await handle.stat()).size,
    async (bytes, start) => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(bytes), 0, bytes, start)
      return buffer.subarray(0, bytesRead)
    },
  )
}

/**
 * Pixel heights relative to their widths (ISO/IEC 11172-2, 2.4.3.2) for MPEG-1 ratios that MediaInfo reports wrongly; by MediaInfo's value.
 */
const MPEG1_PIXELS: { [said: string]: number } = { '1.067': 0.9157, '0.889': 1.095 }

/** Aspect ratio of the shown picture; undefined for square pixels. */
function aspectOf({ Format, Format_Version, Width = 0, Height = 0, PixelAspectRatio = 1, DisplayAspectRatio }: VideoTrack) {
  if (PixelAspectRatio === 1 || !DisplayAspectRatio) return undefined
  const pixels = Format === 'MPEG Video' && Format_Version === '1' && MPEG1_PIXELS[PixelAspectRatio.toFixed(3)]
  return pixels ? Width / Height / pixels : simplest(DisplayAspectRatio)
}

/** MediaInfo rounds to three decimals. */
const ROUNDING = 0.0005

/** The simplest fraction that rounds to a number with three decimals: 16/9 for 1.778. */
function simplest(rounded: number): number {
  for (let denominator = 1; denominator < 1000; denominator++) {
    const fraction = Math.round(rounded * denominator) / denominator
    if (Math.abs(fraction - rounded) <= ROUNDING) return fraction
  }
  return rounded
}

/** Enlarges one side, as browsers do, so that the picture keeps all lines or all columns. */
function withSquarePixels({ width, height }: Size, aspect: number | undefined): Size {
  if (!aspect) return { width, height }
  return aspect * height >= width ? { width: Math.round(aspect * height), height } : { width, height: Math.round(width / aspect) }
}
