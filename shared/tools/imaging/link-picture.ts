import type { Metadata, Sharp } from 'sharp'
import type { Dimensions } from './sizes.ts'
import type { OutputFormat } from './transformation.ts'
import { decoding, openImage, readHeader } from './vips.ts'

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
 * Renders the picture of a link: upright, in sRGB, without metadata but its copyright. An animation keeps its frames in WebP and GIF; every
 * other format has the first one. JPEG shows white where something shows through.
 *
 * @param path of the source, in a format that libvips decodes; nobody writes to it
 * @throws ToolFailed, ToolTimedOut when the source can't be decoded or is too large; ToolBusy when too many wait already
 */
export type LinkRenderer = (path: string, wanted: WantedPicture) => Promise<LinkPicture>

/** Renders in this process. */
export function createLinkRenderer(): LinkRenderer {
  return renderLinkPicture
}

async function renderLinkPicture(path: string, wanted: WantedPicture): Promise<LinkPicture> {
  const header = await readHeader(path)
  const format = wanted.format ?? ownFormat(wanted.mime, header)
  const resized = openImage(path, { animated: moving.has(format) && moving.has(header.format) }).resize({ ...wanted.target, fit: 'fill' })
  const coloured = wanted.grayscale ? resized.grayscale() : resized.toColourspace('srgb')
  const labelled = wanted.copyright === null ? coloured : coloured.withExif({ IFD0: { Copyright: wanted.copyright } })
  return { data: await decoding(encode(labelled, format).toBuffer()), mime: `image/${format}` }
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

/** Browsers show no other formats than these. */
function ownFormat(mime: string, { hasAlpha }: Metadata): ResultFormat {
  return ownFormats[mime] ?? (hasAlpha ? 'png' : 'jpeg')
}

function encode(image: Sharp, format: ResultFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return image.flatten({ background: 'white' }).jpeg({ quality: 80 })
    case 'webp':
      return image.webp({ quality: 80 })
    case 'avif':
      return image.avif({ quality: 50 })
    case 'png':
      return image.png()
    case 'gif':
      return image.gif({ effort: 3 })
  }
}
