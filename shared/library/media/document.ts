import { valuesIn } from '../../vocabulary/editable-fields.ts'
import type { ShownMedia } from '../../vocabulary/shown-media.ts'
import type { VideoFacts } from '../../vocabulary/video.ts'
import { day, timestamp } from '../time.ts'

/** The metadata sub-document as the interface shows it; `camera_created` is absent when unknown. */
export function metadataJson(media: ShownMedia) {
  return {
    ...valuesIn('metadata', media),
    iptc: media.iptc,
    geolocation: media.geolocation,
    ...(media.cameraCreated === null ? {} : { camera_created: media.cameraCreated }),
  }
}

/** The document of an own file. @param now UNIX milliseconds; decides whether the file is expired */
export function mediaJson(media: ShownMedia, now: number) {
  return {
    id: media.mediaId,
    status: 'available' as const,
    created: timestamp(media.created),
    type: media.kind,
    media_type: media.kind,
    filename: media.filename,
    file_number: media.fileNumber ?? 1,
    file_md5: media.md5 ?? '',
    uploaded_by: media.uploadedBy,
    ...(media.uploadedVia !== undefined && { uploaded_via: { share_id: media.uploadedVia } }),
    metadata: metadataJson(media),
    file_mimetype: media.mime,
    file_disksize: media.bytes,
    width: media.width,
    height: media.height,
    ...(media.contentCredentials && { content_credentials: true as const }),
    ...(media.kind === 'video' && { video: videoJson(media.video) }),
    ...valuesIn('document', media),
    expired: isExpired(media, now),
  }
}

/** The document of an item of the stock library. It differs from an own file's in its type. */
export function stockJson(item: ShownMedia, now: number) {
  return { ...mediaJson(item, now), type: 'stock' as const }
}

/** @param video undefined for items of a provider */
function videoJson(video: VideoFacts | undefined) {
  return {
    duration: video?.seconds ?? null,
    frame_rate: video?.frameRate ?? null,
    video_codec: video?.videoCodec ?? null,
    audio_codec: video?.audioCodec ?? null,
  }
}

/** A file is good until the end of its expiration day, UTC. */
function isExpired(media: { expires: string | null }, now: number): boolean {
  return media.expires !== null && media.expires < day(now)
}
