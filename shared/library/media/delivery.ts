import type { Clock } from '../../backends/clock/port.ts'
import type { UrlSigner } from '../../backends/edge/port.ts'
import { percentEncode } from '../../percent-encoding.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import { NotFound } from '../errors.ts'
import type { AvailableMedia, Rendition } from './media.ts'

/** A thumbnail URL lives for at least a day (interface), a download URL for five minutes. */
export const THUMBNAIL_SECONDS = 86_400
export const DOWNLOAD_SECONDS = 300
/**
 * A thumbnail keeps its URL for so many seconds: it is signed once, and browsers find its picture in their cache. The URL lives up to this much
 * longer than a day.
 */
export const THUMBNAIL_PERIOD = 3_600

/** `Cache-Control` of delivered files. A size of a picture keeps its URL when its copyright is changed, so caches show it for this long. */
export const DELIVERY_CACHE_CONTROL = `private, max-age=${THUMBNAIL_PERIOD}`

/** Placeholder for files that are no image, 93x119 pixels. A deployment uploads it. */
export const GENERIC_THUMBNAIL_KEY = 'generic/thumbnail.png'

/** What signs delivery URLs. */
export interface Delivering {
  urls: UrlSigner
  clock: Clock
}

/** URL of a file's thumbnail. The placeholder where there is no rendition. */
export function thumbnailUrl(library: Delivering, media: AvailableMedia, size: RenditionSize): Promise<string> {
  return pictureUrl(library, media.renditions[size]?.key)
}

/** URL of a picture. @param key of its object; without one the placeholder */
export function pictureUrl({ urls, clock }: Delivering, key = GENERIC_THUMBNAIL_KEY): Promise<string> {
  const period = THUMBNAIL_PERIOD * 1000
  return urls.sign(key, { expires: Math.ceil((clock.now() + THUMBNAIL_SECONDS * 1000) / period) * period, stable: true })
}

/** URL of a file as a download. @param key of the object that is delivered for it */
export function downloadUrl({ urls, clock }: Delivering, media: Pick<AvailableMedia, 'filename' | 'mime'>, key: string): Promise<string> {
  return urls.sign(key, {
    expires: clock.now() + DOWNLOAD_SECONDS * 1000,
    disposition: attachment(media.filename),
    contentType: media.mime,
  })
}

/** One size of an image. @throws NotFound for files that have no such rendition */
export function renditionOf({ renditions }: AvailableMedia, size: RenditionSize): Rendition {
  const rendition = renditions[size]
  if (!rendition) throw new NotFound('rendition')
  return rendition
}

/** URL of one size of an image as a download. @param key of the object that is delivered for it @throws NotFound for files that have no such rendition */
export function sizedDownloadUrl({ urls, clock }: Delivering, media: AvailableMedia, size: RenditionSize, key: string): Promise<string> {
  const rendition = renditionOf(media, size)
  return urls.sign(key, {
    expires: clock.now() + DOWNLOAD_SECONDS * 1000,
    disposition: attachment(sizedName(media, size, rendition)),
    contentType: rendition.mime,
  })
}

/** Filename of a video's preview in downloads. */
export const previewName = (media: Named): string => `${withoutExtension(media)}_preview.mp4`

/** Filename of an image's size in downloads. */
export function sizedName(media: Named, size: RenditionSize, { mime }: Pick<Rendition, 'mime'>): string {
  return `${withoutExtension(media)}_${size}.${mime === 'image/png' ? 'png' : 'jpg'}`
}

type Named = Pick<AvailableMedia, 'filename' | 'extension'>

/** Usual extensions of pictures and films. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  `jpg jpeg jpe jfif jif mpo png apng gif webp avif avifs heic heif heics heifs hif tif tiff btf tf8 bmp dib psd psb jxl jp2 j2k jpf jpx jxr ico tga exr hdr
  cr2 cr3 crw nef nrw arw srf sr2 dng raf orf rw2 raw rwl pef srw 3fr fff iiq x3f erf kdc mef mos mrw svg svgz ai eps
  mp4 m4v mov qt 3gp 3g2 mkv webm avi divx mpg mpeg mpe m1v m2v vob ts mts m2ts m2t mxf wmv asf flv f4v ogv ogg dv gxf insv lrv`.split(
    /\s+/,
  ),
)

/** Without what tells a file's type: a dot within a title (`Portrait v1.2 final`, `St.Gallen`) begins no extension. */
function withoutExtension({ filename, extension }: Named): string {
  const last = /(?<=.)\.([^.]+)$/s.exec(filename)?.[1]?.toLowerCase()
  return last !== undefined && (last === extension || EXTENSIONS.has(last)) ? filename.slice(0, -last.length - 1) : filename
}

/** `Content-Disposition` of a download. */
export const attachment = (filename: string): string => disposition('attachment', filename)

/** Bytes of the longest `Content-Disposition` that storage keeps: S3 takes 2 KB for it with the media type and `Cache-Control`. */
const MAX_LABEL = 1_600

/**
 * `Content-Disposition` of a file that browsers show, and save under this name. A name that doesn't fit into an object's metadata is cut before its
 * extension.
 */
export function inline(filename: string): string {
  const extension = /\.[^.]{1,20}$/.exec(filename)?.[0] ?? ''
  const characters = [...filename.slice(0, filename.length - extension.length)]
  const label = () => disposition('inline', characters.join('') + extension)
  while (characters.length > 0 && label().length > MAX_LABEL) characters.pop()
  return label()
}

/** With an ASCII name for old clients and the real one (RFC 6266, RFC 8187). */
function disposition(kind: 'attachment' | 'inline', filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/g, '_')
    .replace(/["\\%]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${percentEncode(filename.toWellFormed())}`
}
