import type { Metadata, Sharp } from 'sharp'
import { ToolFailed } from '../failure.ts'
import { adapted } from './adapted.ts'
import { exifCopyright } from './exif-copyright.ts'
import type { Geometry } from './geometry.ts'
import { awaitedTime, linkPictureLimits } from './limits.ts'
import type { PictureLabels } from './picture-labels.ts'
import { fitInside } from './sizes.ts'
import { openInSrgb } from './srgb-image.ts'
import type { OutputFormat, WantedFormat } from './transformation.ts'
import { decoding, readHeader } from './vips.ts'

/** How to render a picture of a link. */
export interface PicturePlan extends Geometry {
  /** `rrggbb`: of the canvas, and behind what shows through in JPEG. Absent: transparent where the format can, else white. */
  background?: string
  /** Covers the background, too. */
  tone?: 'gray' | 'bitonal'
  /** Left to right, at the end, before the picture is turned. */
  mirrored?: boolean
  /** Degrees, clockwise. */
  turned?: 90 | 180 | 270
  /** Keeps the gain map of a picture that has one, as JPEG. */
  hdr?: boolean
  /** Absent: the file's own, where browsers show that. */
  format?: WantedFormat
}

/** A picture to render for a link. */
export interface WantedPicture extends PicturePlan {
  /** MIME type of the link's file, not of the source. Without `format` it decides the result's format. */
  mime: string
  /** Whether any pixel of the file is transparent. */
  transparent: boolean
  /** Written into the result, as its only metadata. */
  labels: PictureLabels
}

type ResultFormat = OutputFormat | 'gif'

export type LinkPictureMime = `image/${ResultFormat}`

export interface LinkPicture {
  data: Uint8Array
  mime: LinkPictureMime
}

/**
 * Renders the picture of a link: upright, in sRGB, without metadata except its copyright (which GIF can't hold). WebP and GIF keep the
 * frames of an animation; other formats have the first one. JPEG fills transparent parts with white. Renders what can be decoded of a
 * damaged source.
 *
 * @param path the source, in a format that libvips decodes; must not be written to
 * @throws ToolFailed, ToolTimedOut if the source can't be decoded or is too large; ToolBusy if the queue is full, or others use the
 *   processor
 */
export type LinkRenderer = (path: string, wanted: WantedPicture) => Promise<LinkPicture>

/** Renders in this process, which should do nothing else. */
export function createLinkRenderer(): LinkRenderer {
  return renderLinkPicture
}

async function renderLinkPicture(source: string, wanted: WantedPicture): Promise<LinkPicture> {
  const path = await decoding(adapted(source, `${source}.adapted`), awaitedTime)
  const header = await readHeader(path)
  const format = typeof wanted.format === 'string' ? wanted.format : ownFormat(wanted.mime, header)
  const animated = (header.pages ?? 1) > 1 && moving.has(format) && moving.has(header.format)
  const target = fitInside(wanted.target, format === 'avif' ? linkPictureLimits.avifSide : linkPictureLimits.side)
  const image = await openInSrgb(path, header, { target, animated, time: awaitedTime })
  const coloured = wanted.tone === 'gray' ? image.grayscale() : image
  const copyright = format === 'gif' ? undefined : exifCopyright(wanted.labels.copyright ?? '')
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

/** The format of a link's picture. Formats that browsers don't show are replaced. */
function ownFormat(mime: string, { hasAlpha }: Metadata): ResultFormat {
  return ownFormats[mime] ?? (hasAlpha ? 'png' : 'jpeg')
}

/** Qualities are common among image services. Efforts are the highest that a waiting client doesn't notice. */
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
      // Frames share a palette while it fits: that saves bytes and avoids flicker in unchanged pixels.
      return image.gif({ effort: 2, interPaletteMaxError: 16, keepDuplicateFrames: true })
  }
}
