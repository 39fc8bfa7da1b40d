import type { Metadata, Sharp } from 'sharp'
import { ToolFailed } from '../failure.ts'
import { adapted } from './adapted.ts'
import { exifCopyright } from './exif-copyright.ts'
import { awaitedTime, linkPictureLimits } from './limits.ts'
import { type Dimensions, fitInside } from './sizes.ts'
import { openInSrgb } from './srgb-image.ts'
import type { OutputFormat } from './transformation.ts'
import { decoding, readHeader } from './vips.ts'

/** A picture that is to be rendered for a link. */
export interface WantedPicture {
  /** Media type of the file that the link shows, not of the source: without `format` it decides that of the result. */
  mime: string
  /** Pixels of the result. */
  target: Dimensions
  grayscale: boolean
  format?: OutputFormat
  /** Is written into the result, as the only metadata. */
  copyright: string | null
}

type ResultFormat = OutputFormat | 'gif'

/** Media types of results. */
export type LinkPictureMime = `image/${ResultFormat}`

export interface LinkPicture {
  data: Uint8Array
  mime: LinkPictureMime
}

/**
 * Renders the picture of a link: upright, in sRGB, without metadata but its copyright (which GIF can't hold). An animation keeps its frames in
 * WebP and GIF; every other format has the first one. JPEG shows white where something shows through. Of a damaged source it shows what can
 * be decoded.
 *
 * @param path of the source, in a format that libvips decodes; nobody writes to it
 * @throws ToolFailed, ToolTimedOut when the source can't be decoded or is too large; ToolBusy when too many wait already, or others have the
 * processor
 */
export type LinkRenderer = (path: string, wanted: WantedPicture) => Promise<LinkPicture>

/** Renders in this process, which does nothing else. */
export function createLinkRenderer(): LinkRenderer {
  return renderLinkPicture
}

async function renderLinkPicture(source: string, wanted: WantedPicture): Promise<LinkPicture> {
  const path = await decoding(adapted(source, `${source}.adapted`), awaitedTime)
  const header = await readHeader(path)
  const format = wanted.format ?? ownFormat(wanted.mime, header)
  const animated = (header.pages ?? 1) > 1 && moving.has(format) && moving.has(header.format)
  const target = fitInside(wanted.target, format === 'avif' ? linkPictureLimits.avifSide : linkPictureLimits.side)
  const image = await openInSrgb(path, header, { target, animated, time: awaitedTime })
  const coloured = wanted.grayscale ? image.grayscale() : image
  const copyright = format === 'gif' ? undefined : exifCopyright(wanted.copyright ?? '')
  const encoded = await decoding(encode(copyright ? coloured.withExif(copyright.exif) : coloured, format, animated).toBuffer(), awaitedTime)
  const data = copyright ? copyright.fillIn(encoded) : encoded
  if (data.length > linkPictureLimits.bytes) throw new ToolFailed(`the picture takes ${data.length} bytes`)
  return { data, mime: `image/${format}` }
}

/** Formats whose animations are kept. */
const moving: ReadonlySet<string> = new Set(['gif', 'webp'])

const ownFormats: { readonly [mime: string]: ResultFormat } = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}

/** The format of a link's picture: formats that browsers don't show become ones that they do. */
function ownFormat(mime: string, { hasAlpha }: Metadata): ResultFormat {
  return ownFormats[mime] ?? (hasAlpha ? 'png' : 'jpeg')
}

/** Qualities are those that image services use. Efforts are the highest that a waiting client doesn't notice. */
function encode(image: Sharp, format: ResultFormat, animated: boolean): Sharp {
  switch (format) {
    case 'jpeg':
      return image.flatten({ background: 'white' }).jpeg({ quality: 80 })
    case 'webp':
      // Effort 4, the default, takes 1.6 times as long for an animation, for an eighth less bytes.
      return image.webp({ quality: 80, ...(animated && { effort: 1 }) })
    case 'avif':
      // Effort 4 takes five times as long, for a tenth less bytes.
      return image.avif({ quality: 50, effort: 3 })
    case 'png':
      return image.png()
    case 'gif':
      // Frames share a palette while it fits them: less bytes, and differences between frames that most pixels don't show.
      return image.gif({ effort: 2, interPaletteMaxError: 16, keepDuplicateFrames: true })
  }
}
