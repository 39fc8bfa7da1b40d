import { buffer, text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { inParallel } from '../../parallel.ts'
import type { Cue } from '../../tools/subtitles/cue.ts'
import { linesOf } from '../../tools/subtitles/lines.ts'
import { parseWebVtt, writeWebVtt } from '../../tools/subtitles/webvtt.ts'
import { LADDER, PLAYLIST } from '../../vocabulary/video.ts'
import type { Encodings } from './encoding.ts'
import { streamCacheControl, videoObjects } from './objects.ts'
import { storedText, storeSilence } from './pad-sound.ts'
import {
  PARALLELISM,
  picturesOf,
  playlistOf,
  type Segment,
  type ShownSubtitles,
  segmentsOf,
  subtitlesPlaylist,
  subtitlesSegment,
} from './playlist.ts'
import type { Stream, VideoRecord } from './video.ts'

/**
 * Stores the viewers' playlist, after the files that it names. Does nothing where it is stored already.
 * @returns the stream with the subtitles that it shows, to be committed where they have changed: a concurrent run may have stored another playlist
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
  // The stream is being removed, or its files are lost, which the operator's check reports.
  if (ladder === undefined) return stream
  const shown = subtitlesOf(video)
  await storeSubtitles(library, video, prefix, ladder, shown)
  const playlist = playlistOf(await storeSilence(publicFiles, prefix, ladder), shown)
  if ((await storedText(publicFiles, `${prefix}${PLAYLIST}`)) !== playlist) {
    await publicFiles.put(`${prefix}${PLAYLIST}`, Buffer.from(playlist), {
      contentType: 'application/vnd.apple.mpegurl',
      cacheControl: streamCacheControl(PLAYLIST),
    })
  }
  const shows = shown.map(({ id }) => id).sort()
  return isDeepStrictEqual(shows, stream.shows) ? stream : { ...stream, shows }
}

/** The subtitles of a video, in the order of the menu. */
export const subtitlesOf = ({ subtitles = {} }: VideoRecord): ShownSubtitles[] =>
  Object.keys(subtitles)
    .sort()
    .map((language) => ({ language, id: subtitles[language]!.id }))

/** The stream's timestamps begin at 0 (RFC 8216, 3.5). */
const TIMESTAMP_MAP = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000'

/**
 * Stores subtitles beside a stream, in segments as long as the video's, and their playlist last. Existing ones stay: changed subtitles get another
 * id.
 * @param prefix of the stream @param ladder its playlist as the encoder wrote it
 * @throws ObjectMissing
 */
async function storeSubtitles(
  { media, publicFiles }: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
  prefix: string,
  ladder: string,
  subtitles: readonly ShownSubtitles[],
): Promise<void> {
  const put = (name: string, body: string, contentType: string) =>
    publicFiles.put(`${prefix}${name}`, Buffer.from(body), { contentType, cacheControl: streamCacheControl(name) })
  let segments: Segment[] | undefined
  for (const each of subtitles) {
    if (await publicFiles.head(`${prefix}${subtitlesPlaylist(each)}`)) continue
    segments ??= segmentsOf(await text((await publicFiles.get(`${prefix}${picturesOf(ladder)}`)).stream))
    const webVtt = await buffer((await media.get(videoObjects.subtitles(video, each.language, each.id))).stream)
    const cues = parseWebVtt(linesOf(webVtt))
    const last = segments.length - 1
    await inParallel(segments.entries(), PARALLELISM, async ([index, segment]) => {
      await put(subtitlesSegment(each, index), segmentText(cues, segment, index === last), 'text/vtt')
    })
    await put(subtitlesPlaylist(each), subtitlesMediaPlaylist(each, segments), 'application/vnd.apple.mpegurl')
  }
}

/** All cues shown during a segment, so a long cue is in several. The last segment also has the later cues. */
function segmentText(cues: readonly Cue[], { start, seconds }: Segment, isLast: boolean): string {
  const [from, to] = [start * 1_000, isLast ? Number.POSITIVE_INFINITY : (start + Number(seconds)) * 1_000]
  return writeWebVtt(cues.filter((cue) => cue.start < to && cue.end > from)).replace('\n', `\n${TIMESTAMP_MAP}\n`)
}

function subtitlesMediaPlaylist(subtitles: ShownSubtitles, segments: readonly Segment[]): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...segments.map(({ seconds }) => Math.round(Number(seconds))))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...segments.flatMap(({ seconds }, index) => [`#EXTINF:${seconds},`, subtitlesSegment(subtitles, index)]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}
