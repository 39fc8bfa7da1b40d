import { text } from 'node:stream/consumers'
import { LADDER, PLAYLIST } from '../../vocabulary/video.ts'
import { streamCacheControl, videoObjects } from '../videos/objects.ts'
import type { Stream, VideoRecord } from '../videos/video.ts'
import type { Encodings } from './encoding.ts'
import { playlistOf, type ShownSubtitles } from './playlist.ts'
import { storeSubtitles } from './subtitle-files.ts'

/** Whether the playlist of a stream shows the subtitles that the video has. */
export function showsItsSubtitles(video: VideoRecord, { shows = [] }: Stream): boolean {
  const ids = idsOf(subtitlesOf(video))
  return shows.length === ids.length && ids.every((id, index) => id === shows[index])
}

/**
 * Stores the playlist that viewers get, after what it names.
 * @returns the stream, which shows the subtitles of the video: to be committed, for another run may have stored another playlist meanwhile
 * @throws ObjectMissing where the stream or subtitles are being removed
 */
export async function storePlaylist(
  library: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
  stream: Stream,
): Promise<Stream> {
  const prefix = videoObjects.stream(stream.encodingId)
  const ladder = await text((await library.publicFiles.get(`${prefix}${LADDER}`)).stream)
  const shown = subtitlesOf(video)
  await storeSubtitles(library, video, prefix, ladder, shown)
  await library.publicFiles.put(`${prefix}${PLAYLIST}`, Buffer.from(playlistOf(ladder, shown)), {
    contentType: 'application/vnd.apple.mpegurl',
    cacheControl: streamCacheControl(PLAYLIST),
  })
  return { ...stream, shows: idsOf(shown) }
}

/** The subtitles of a video, in the order of the menu. */
export const subtitlesOf = ({ subtitles = {} }: VideoRecord): ShownSubtitles[] =>
  Object.keys(subtitles)
    .sort()
    .map((language) => ({ language, id: subtitles[language]!.id }))

const idsOf = (subtitles: readonly ShownSubtitles[]): string[] => subtitles.map(({ id }) => id).sort()
