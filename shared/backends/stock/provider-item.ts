import { FIRST_PROVIDED_ID } from '../../vocabulary/ids.ts'
import { type RenditionSize, renditionSizes } from '../../vocabulary/rendition-size.ts'
import type { StockItem, StockLibrary } from './port.ts'
import type { ProvidedItem } from './provider-answers.ts'

/** An item's id at the provider; undefined for ids below the providers' range. */
export function providedId(mediaId: number): number | undefined {
  return mediaId > FIRST_PROVIDED_ID ? mediaId - FIRST_PROVIDED_ID : undefined
}

/** Converts a provider's item. @param allowed returns the address of a thumbnail to pass on, or undefined */
export function stockItem(item: ProvidedItem, allowed: (url: string) => string | undefined): StockItem {
  const { position, video, camera_created: cameraCreated } = item
  return {
    mediaId: FIRST_PROVIDED_ID + item.id,
    kind: item.kind,
    created: item.created,
    filename: item.filename.normalize('NFC'),
    md5: item.md5 ?? '',
    mime: item.mime,
    bytes: item.bytes,
    width: item.width,
    height: item.height,
    title: item.title,
    description: item.description,
    keywords: item.keywords,
    byline: item.byline,
    copyright: item.copyright,
    expires: item.expires,
    editorial: item.editorial,
    adultContent: item.adult_content,
    iptc: null,
    geolocation: position && { source: 'provider', longitude: degrees(position.longitude), latitude: degrees(position.latitude) },
    cameraCreated: cameraCreated === null ? null : Math.floor(cameraCreated / 1000),
    suggestedKeywords: [],
    ...(video && {
      video: {
        seconds: video.seconds,
        frameRate: video.frame_rate,
        videoCodec: video.video_codec,
        audioCodec: video.audio_codec,
        hasAudio: video.audio_codec === null ? null : true,
        isHdr: false,
      },
    }),
    uploadedBy: 0,
    thumbnails: thumbnailsOf(item, allowed),
  }
}

/** Without exponential notation. */
function degrees(value: number): string {
  return value
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')
}

function thumbnailsOf({ thumbnails }: ProvidedItem, allowed: (url: string) => string | undefined): StockItem['thumbnails'] {
  const kept: StockItem['thumbnails'] = {}
  for (const size of renditionSizes) {
    const url = allowed(thumbnails[size] ?? '')
    if (url !== undefined) kept[size] = url
  }
  return kept
}

/** URLs of pictures of a provider's items. @param genericPicture URL of the picture for items without one */
export function providedThumbnails(genericPicture: () => Promise<string>): Pick<StockLibrary, 'thumbnail'> {
  return {
    thumbnail: async ({ thumbnails }, size) => nearest(thumbnails, size) ?? genericPicture(),
  }
}

/** The picture in this size, else the next larger one, else the largest. */
function nearest(thumbnails: StockItem['thumbnails'], size: RenditionSize): string | undefined {
  const larger = renditionSizes.slice(renditionSizes.indexOf(size))
  const smaller = renditionSizes.slice(0, renditionSizes.indexOf(size)).reverse()
  return [...larger, ...smaller].map((each) => thumbnails[each]).find((url) => url !== undefined)
}
