import type { Settings } from '../../settings.ts'
import type { CompanyId, EncodingId, MediaId } from '../../vocabulary/ids.ts'
import { PLAYLIST, POSTER } from '../../vocabulary/video.ts'
import { LINK_CACHE_CONTROL, streamPrefix } from '../links/public-keys.ts'

type OfFile = { companyId: CompanyId; mediaId: MediaId }

/** The keys of the objects of videos: streams in the `public` bucket, all else in `media`. */
export const videoObjects = {
  /** All previews of a video, also those that were not finished. */
  previews: ({ companyId, mediaId }: OfFile) => `${companyId}/${mediaId}/video/`,
  /** All files of a preview. */
  previewFiles: (media: OfFile, encodingId: EncodingId) => `${videoObjects.previews(media)}${encodingId}/`,
  preview: (media: OfFile, encodingId: EncodingId) => `${videoObjects.previewFiles(media, encodingId)}preview.mp4`,
  poster: (media: OfFile, encodingId: EncodingId) => `${videoObjects.previewFiles(media, encodingId)}${POSTER}`,
  /** Subtitles of a video in all languages. */
  allSubtitles: ({ companyId, mediaId }: OfFile) => `${companyId}/${mediaId}/subtitles/`,
  /** WebVTT. @param id new with each change: nobody overwrites what another one stored */
  subtitles: (media: OfFile, language: string, id: string) => `${videoObjects.allSubtitles(media)}${language}.${id}.vtt`,
  /** All files of a stream. */
  stream: streamPrefix,
}

/** Subtitles of all videos, as a pattern of keys. */
export const SUBTITLES = '*/subtitles/*'

/** The player's files are below this prefix of the `public` bucket of a deployment. No alias begins with `_`. */
export const PLAYER_FILES = '_/player/'

/**
 * `Cache-Control` of a stream's file. Playlists change with subtitles; names of all others are never used again.
 * @param name of the file, or its key
 */
export const streamCacheControl = (name: string): string =>
  name.endsWith('.m3u8') ? LINK_CACHE_CONTROL : 'public, max-age=31536000, immutable'

/** The address of a stream for players. */
export const streamUrl = ({ cdnUrl }: Pick<Settings, 'cdnUrl'>, encodingId: EncodingId): string =>
  `${cdnUrl}/${videoObjects.stream(encodingId)}${PLAYLIST}`
