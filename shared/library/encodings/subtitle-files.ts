import { text } from 'node:stream/consumers'
import { streamCacheControl, videoObjects } from '../videos/objects.ts'
import type { VideoRecord } from '../videos/video.ts'
import type { Encodings } from './encoding.ts'
import { type ShownSubtitles, subtitlesFile, subtitlesPlaylist } from './playlist.ts'

/** Begins with the stream: its timestamps begin at 0 (RFC 8216, 3.5). */
const TIMESTAMP_MAP = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000'

/**
 * Stores subtitles beside a stream, each as one segment over its whole duration, with a playlist.
 * @param prefix of the stream @param ladder its playlist as the encoder wrote it
 * @throws ObjectMissing
 */
export async function storeSubtitles(
  { media, publicFiles }: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
  prefix: string,
  ladder: string,
  subtitles: readonly ShownSubtitles[],
): Promise<void> {
  if (subtitles.length === 0) return
  const [variant = ''] = /^[^#\s].*$/m.exec(ladder) ?? []
  const seconds = durationOf(await text((await publicFiles.get(`${prefix}${variant.trim()}`)).stream))
  for (const each of subtitles) {
    const webVtt = await text((await media.get(videoObjects.subtitles(video, each.language, each.id))).stream)
    const [file, playlist] = [subtitlesFile(each), subtitlesPlaylist(each)]
    await publicFiles.put(`${prefix}${file}`, Buffer.from(webVtt.replace('\n', `\n${TIMESTAMP_MAP}\n`)), {
      contentType: 'text/vtt',
      cacheControl: streamCacheControl(file),
    })
    await publicFiles.put(`${prefix}${playlist}`, Buffer.from(subtitlesMediaPlaylist(file, seconds)), {
      contentType: 'application/vnd.apple.mpegurl',
      cacheControl: streamCacheControl(playlist),
    })
  }
}

/** Seconds of all segments of a media playlist. */
const durationOf = (playlist: string): number =>
  playlist.matchAll(/^#EXTINF:(?<seconds>[\d.]+)/gm).reduce((sum, { groups }) => sum + Number(groups?.seconds), 0)

function subtitlesMediaPlaylist(file: string, seconds: number): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(seconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${seconds.toFixed(3)},`,
    file,
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}
