import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { ObjectMissing } from '../../backends/objects/port.ts'
import { LADDER, PLAYLIST } from '../../vocabulary/video.ts'
import { streamCacheControl, videoObjects } from '../videos/objects.ts'
import type { Stream, VideoRecord } from '../videos/video.ts'
import type { Encodings } from './encoding.ts'
import { playlistOf, type ShownSubtitles } from './playlist.ts'
import { storeSubtitles } from './subtitle-files.ts'

/**
 * Stores the playlist that viewers get, after what it names, unless it is stored: a run that crashed may have left an older one.
 * @returns the stream, which shows the subtitles of the video: to be committed where it is another, for another run may have stored another playlist
 * meanwhile
 * @throws ObjectMissing where subtitles are being removed
 */
export async function storePlaylist(
  library: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
  stream: Stream,
): Promise<Stream> {
  const { publicFiles } = library
  const prefix = videoObjects.stream(stream.encodingId)
  const ladder = await storedText(publicFiles, `${prefix}${LADDER}`)
  // The stream is being removed, or its files are lost, which the operator's check tells.
  if (ladder === undefined) return stream
  const shown = subtitlesOf(video)
  await storeSubtitles(library, video, prefix, ladder, shown)
  const playlist = playlistOf(ladder, shown)
  if ((await storedText(publicFiles, `${prefix}${PLAYLIST}`)) !== playlist) {
    await publicFiles.put(`${prefix}${PLAYLIST}`, Buffer.from(playlist), {
      contentType: 'application/vnd.apple.mpegurl',
      cacheControl: streamCacheControl(PLAYLIST),
    })
  }
  const shows = shown.map(({ id }) => id).sort()
  return isDeepStrictEqual(shows, stream.shows) ? stream : { ...stream, shows }
}

async function storedText(objects: Pick<Encodings['publicFiles'], 'get'>, key: string): Promise<string | undefined> {
  try {
    return await text((await objects.get(key)).stream)
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}

/** The subtitles of a video, in the order of the menu. */
export const subtitlesOf = ({ subtitles = {} }: VideoRecord): ShownSubtitles[] =>
  Object.keys(subtitles)
    .sort()
    .map((language) => ({ language, id: subtitles[language]!.id }))
