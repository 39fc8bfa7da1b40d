import type { Metadata, Sharp } from 'sharp'
import { ToolFailed } from '../failure.ts'
import { adapted } from './adapted.ts'
import { attentionRegion } from './attention.ts'
import { BLACK, type Colour, colourIn, greyOf, WHITE } from './background.ts'
import { exifCopyright } from './exif-copyright.ts'
import { findGainMap, renderGainMap, withGainMap } from './gain-map/gain-map.ts'
import { baseXmp } from './gain-map/metadata.ts'
import type { Geometry } from './geometry.ts'
import { awaitedTime, checkDecodedBytes, linkPictureLimits, sampleBytes } from './limits.ts'
import { movingFormats } from './moving-formats.ts'
import type { PictureLabels } from './picture-labels.ts'
import { pictureXmp } from './picture-xmp.ts'
import { pyramidLevel } from './pyramid-level.ts'
import { type Dimensions, type Region, scaledBy } from './sizes.ts'
import { openInSrgb } from './srgb-image.ts'
import type { AcceptedFormat, OutputFormat, WantedFormat } from './transformation.ts'
import { decoding, type Header, readHeader } from './vips.ts'

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
  /** Whether the source is a pyramid (pyramid.ts). */
  isPyramid?: boolean
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
 * Renders the picture of a link: upright, in sRGB, without metadata except its labels (which GIF can't hold). WebP and GIF keep the
 * frames of an animation, unless it is turned; other formats have the first one. JPEG fills transparent parts with the background. Renders what
 * can be decoded of a damaged source.
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
  const { path, header, region: asked } = await openSource(source, wanted)
  const gainMap = keepsGainMap(wanted) ? await findGainMap(path, header) : undefined
  const format = gainMap ? 'jpeg' : formatOf(wanted, header)
  const frames = isMoving(header) && movingFormats.has(format) && !wanted.turned ? (header.pages ?? 1) : 1
  const { target, canvas } = sizesWithin(format === 'avif' ? linkPictureLimits.avifSide : linkPictureLimits.side, wanted)
  if (canvas) checkFrames(frames, target, canvas)
  const region = wanted.keeps ? await attentionRegion(path, header, { region: asked, shape: target, time: awaitedTime }) : asked
  const isTurned = Boolean(wanted.mirrored || wanted.turned)
  const image = await openInSrgb(path, header, { target, region, isTurned, animated: frames > 1, time: awaitedTime })
  const arranged = arrange(image, { ...wanted, target, canvas }, format)
  const { width, height } = canvas ?? target
  const encoding = { format, pixels: width * height, animated: frames > 1 }
  const original = header.autoOrient
  const map = gainMap && (await renderGainMap(gainMap, { region, target, original, arrange: (image) => direct(image, wanted) }))
  const encoded = await encodeLabelled(arranged, wanted, { ...encoding, xmp: gainMap && map ? baseXmp(gainMap.metadata, map.length) : '' })
  const data = gainMap && map ? withGainMap(encoded, map, gainMap) : encoded
  if (data.length > linkPictureLimits.bytes) throw new ToolFailed(`the picture takes ${data.length} bytes`)
  return { data, mime: `image/${format}` }
}

/** A canvas has no brightness of its own, and neither have tones. */
const keepsGainMap = ({ hdr, canvas, tone }: WantedPicture): boolean => hdr === true && !canvas && !tone

interface Source {
  path: string
  header: Header
  region: Region | undefined
}

async function openSource(source: string, wanted: WantedPicture): Promise<Source> {
  if (wanted.isPyramid) return { path: source, ...(await pyramidLevel(source, wanted, awaitedTime)) }
  const path = await decoding(adapted(source, `${source}.adapted`), awaitedTime)
  return { path, header: await readHeader(path), region: wanted.region }
}

const isMoving = ({ pages = 1, format }: Metadata): boolean => pages > 1 && movingFormats.has(format)

function formatOf(wanted: WantedPicture, header: Metadata): ResultFormat {
  const { format, mime } = wanted
  if (format === undefined) return ownFormat(mime, header)
  return typeof format === 'string' ? format : bestOf(format.accepted, wanted, header)
}

/** The smallest format of a picture that a client accepts. */
function bestOf(accepted: readonly AcceptedFormat[], { transparent, canvas, background }: WantedPicture, header: Metadata): ResultFormat {
  if (isMoving(header)) return accepted.includes('webp') ? 'webp' : 'gif'
  const [best = transparent && !(canvas && background) ? 'png' : 'jpeg'] = accepted
  return best
}

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

type Sizes = Pick<WantedPicture, 'target'> & { canvas: Dimensions | undefined }

/** The sizes, both smaller by one factor where a side would be longer than the format has. */
function sizesWithin(side: number, { target, canvas }: WantedPicture): Sizes {
  const { width, height } = canvas ?? target
  const factor = Math.min(1, side / Math.max(width, height))
  return { target: scaledBy(factor, target), canvas: canvas && scaledBy(factor, canvas) }
}

/** Canvases of all frames are encoded, and their pictures held. @throws ToolFailed where they are too large together */
function checkFrames(frames: number, target: Dimensions, canvas: Dimensions): void {
  if (frames === 1) return
  checkDecodedBytes(sampleBytes({ width: target.width, height: target.height * frames, channels: 4, bits: 8 }))
  checkDecodedBytes(sampleBytes({ width: canvas.width, height: canvas.height * frames, channels: 4, bits: 8 }))
}

/** Puts a picture of the right size on its canvas, and gives it its tones and direction. */
function arrange(image: Sharp, wanted: WantedPicture & Sizes, format: ResultFormat): Sharp {
  const { target, canvas, tone } = wanted
  const background = backgroundOf(wanted, format)
  const isOpaque = format === 'jpeg' || tone === 'bitonal' || (canvas && wanted.background)
  let arranged = isOpaque ? image.flatten({ background }) : image
  if (tone) arranged = arranged.grayscale()
  if (canvas) arranged = arranged.extend({ ...marginsOf(target, canvas), background })
  if (tone === 'bitonal') arranged = arranged.threshold(MIDDLE_GREY)
  return direct(arranged, wanted)
}

function direct(image: Sharp, { mirrored, turned }: WantedPicture): Sharp {
  const directed = mirrored ? image.flop() : image
  return turned ? directed.rotate(turned) : directed
}

const MIDDLE_GREY = 128

/** What shows where the picture doesn't. */
function backgroundOf({ background, tone }: WantedPicture, format: ResultFormat): Colour & { alpha: number } {
  const isOpaque = format === 'jpeg' || tone === 'bitonal'
  if (!background) return isOpaque ? { ...WHITE, alpha: 1 } : { ...BLACK, alpha: 0 }
  const colour = colourIn(background)
  return { ...(tone ? greyOf(colour) : colour), alpha: 1 }
}

function marginsOf(target: Dimensions, canvas: Dimensions) {
  const left = Math.floor((canvas.width - target.width) / 2)
  const top = Math.floor((canvas.height - target.height) / 2)
  return { left, top, right: canvas.width - target.width - left, bottom: canvas.height - target.height - top }
}

async function encodeLabelled(
  image: Sharp,
  { labels, tone }: WantedPicture,
  { xmp: more, ...how }: Pick<Encoding, 'format' | 'pixels' | 'animated'> & { xmp: string },
): Promise<Buffer> {
  const isLabelled = how.format !== 'gif'
  const copyright = isLabelled ? exifCopyright(labels.copyright ?? '') : undefined
  const xmp = isLabelled ? pictureXmp(labels, more) : undefined
  const named = copyright ? image.withExif(copyright.exif) : image
  const labelled = xmp ? named.withXmp(xmp) : named
  const encoded = await decoding(encode(labelled, { ...how, isBitonal: tone === 'bitonal' }).toBuffer(), awaitedTime)
  return copyright ? copyright.fillIn(encoded) : encoded
}

interface Encoding {
  format: ResultFormat
  pixels: number
  animated: boolean
  isBitonal: boolean
}

/**
 * Pixels above which effort 3 takes longer than a client waits gladly: of 1280 x 853 it takes 170 to 310 ms of an idle processor, effort 1 takes 55 to 95,
 * for a seventh to a third more bytes and up to two points of SSIMULACRA2 less, on pictures full of detail nine.
 */
const LARGE_AVIF = 600_000

/** Qualities are common among image services. Efforts are the highest that a waiting client doesn't notice. */
function encode(image: Sharp, { format, pixels, animated, isBitonal }: Encoding): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 80 })
    case 'webp':
      // Effort 4, the default, takes 1.6 times as long for an animation, for an eighth less bytes.
      return image.webp({ quality: 80, ...(animated && { effort: 1 }) })
    case 'avif':
      // Effort 4 takes five times as long as 3, for a tenth less bytes.
      return image.avif({ quality: 50, effort: pixels > LARGE_AVIF ? 1 : 3 })
    case 'png':
      return image.png(isBitonal ? { palette: true, colours: 2, dither: 0 } : {})
    case 'gif':
      // Frames share a palette while it fits: that saves bytes and avoids flicker in unchanged pixels.
      return image.gif({ effort: 2, interPaletteMaxError: 16, keepDuplicateFrames: true })
  }
}
