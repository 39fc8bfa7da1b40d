import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { blamingTheFile, ToolFailed } from '../failure.ts'
import type { ExifTool } from '../metadata/exiftool.ts'
import { makeDecodable } from './formats.ts'
import { checkDecodedBytes, sampleBytes } from './limits.ts'
import { mayMove } from './moving-formats.ts'
import { decodesNatively } from './native-formats.ts'
import { isForPyramid, pyramidFormat } from './pyramid.ts'
import { type Dimensions, fitInside, MASTER_SIDE, SMALL_MASTER_SIDE } from './sizes.ts'
import { openInSrgb } from './srgb-image.ts'
import { decoding, type Header, openImage, readHeader } from './vips.ts'

/** A source that pictures of links are rendered from. */
export interface LinkSource {
  path: string
  mime: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/tiff'
}

export interface LinkSources {
  /** The whole picture, if libvips doesn't decode its own format. */
  original?: LinkSource
  /** The picture with `MASTER_SIDE` as its longest side; absent if the original is no larger, or animated. */
  master?: LinkSource
  /** The same with `SMALL_MASTER_SIDE`, because small sizes spend most of their time on decoding the source. */
  smallMaster?: LinkSource
  /** The whole picture in tiles; absent if it is small, animated, or would take too much. */
  pyramid?: LinkSource
}

/**
 * Makes the sources that pictures of a link are rendered from: upright, in sRGB, without metadata. JPEG without chroma subsampling, of a
 * quality that survives another encoding; lossless if anything is transparent. Of a large picture also a pyramid.
 *
 * @param mime the original's sniffed type
 * @param into folder for the files
 * @throws ToolFailed, ToolTimedOut if it can't be decoded or is too large
 */
export type MasterMaker = (path: string, mime: string, into: string) => Promise<LinkSources>

const jpeg = { quality: 95, chromaSubsampling: '4:4:4' } as const

/** @param exiftool extracts the preview of raw photos */
export function createMasterMaker(exiftool: ExifTool): MasterMaker {
  return async (path, mime, into) => {
    const file = (extension: string) => join(into, `${randomUUID()}.${extension}`)
    const decodable = await blamingTheFile(() => makeDecodable(path, mime, file('decoded'), exiftool))
    const header = await readHeader(decodable)
    const { autoOrient, hasAlpha, pages = 1 } = header
    const moves = pages > 1 && mayMove(mime)
    const isLonger = Math.max(autoOrient.width, autoOrient.height) > MASTER_SIDE
    if (decodesNatively(mime) && (moves || !isLonger)) return {}
    const transparent = hasAlpha && (await showsThrough(decodable, header))
    const open = async (target: Dimensions) => {
      const image = await openInSrgb(decodable, header, { target, original: path })
      return transparent ? image : image.removeAlpha()
    }
    const sources: LinkSources = {}
    if (!decodesNatively(mime)) {
      const original = transparent ? { path: file('png'), mime: 'image/png' as const } : { path: file('jpg'), mime: 'image/jpeg' as const }
      const whole = await open(autoOrient)
      await decoding((transparent ? whole.png() : whole.jpeg(jpeg)).toFile(original.path))
      sources.original = original
    }
    const master = async (side: number): Promise<LinkSource> => {
      const resized = await open(fitInside(autoOrient, side))
      const made = transparent ? { path: file('webp'), mime: 'image/webp' as const } : { path: file('jpg'), mime: 'image/jpeg' as const }
      await decoding((transparent ? resized.webp({ lossless: true, effort: 2 }) : resized.jpeg(jpeg)).toFile(made.path))
      return made
    }
    if (isLonger) {
      sources.smallMaster = await master(SMALL_MASTER_SIDE)
      sources.master = await master(MASTER_SIDE)
    }
    if (isForPyramid(autoOrient)) {
      const pyramid = await pyramidOf(() => open(autoOrient), { header, transparent, path: file('tif') })
      if (pyramid) sources.pyramid = pyramid
    }
    return sources
  }
}

/** @returns undefined where it would take too much: pictures are rendered from the original then */
async function pyramidOf(
  open: () => Promise<Sharp>,
  { header, transparent, path }: { header: Header; transparent: boolean; path: string },
): Promise<LinkSource | undefined> {
  try {
    // To be turned, a picture is held as a whole.
    if ((header.orientation ?? 1) > 1) checkDecodedBytes(sampleBytes({ ...header, bits: 8 }))
    await decoding((await open()).tiff(pyramidFormat(transparent)).toFile(path))
    return { path, mime: 'image/tiff' }
  } catch (error) {
    if (error instanceof ToolFailed) return undefined
    throw error
  }
}

/** Whether any pixel is transparent. Many pictures have an alpha channel that is fully opaque. */
async function showsThrough(path: string, { page }: Header): Promise<boolean> {
  const { isOpaque } = await decoding(openImage(path, { page }).stats())
  return !isOpaque
}
