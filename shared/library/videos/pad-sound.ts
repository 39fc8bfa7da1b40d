import { buffer, text } from 'node:stream/consumers'
import { ObjectMissing, type StreamObjects } from '../../backends/objects/port.ts'
import { inParallel } from '../../parallel.ts'
import { FRAME_SECONDS, silentSegment, silentTrack } from '../../tools/video/silence.ts'
import { LADDER, SEGMENT_SECONDS } from '../../vocabulary/video.ts'
import { streamCacheControl } from './objects.ts'
import { PARALLELISM, picturesOf, secondsOf } from './playlist.ts'

/** Seconds by which parts of a stream may differ in length. Players go on without the shorter one once they have loaded both to their ends. */
const SAME_LENGTH = 0.5

/** A part of a stream by its media playlist: the pictures, or a sound. */
interface Part {
  uri: string
  playlist: string
  seconds: number
}

/** Text of an object; undefined where there is none. */
export async function storedText(objects: Pick<StreamObjects, 'get'>, key: string): Promise<string | undefined> {
  try {
    return await text((await objects.get(key)).stream)
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}

/** Seconds for which the longest sound of a stream goes on after its pictures: players stand still there. 0 where that isn't worth more pictures. */
export async function secondsAfterPictures(objects: Pick<StreamObjects, 'get'>, prefix: string): Promise<number> {
  const { pictures, sounds } = await partsOf(objects, prefix, (await storedText(objects, `${prefix}${LADDER}`)) ?? '')
  const seconds = Math.max(0, ...sounds.map((sound) => sound.seconds - (pictures?.seconds ?? sound.seconds)))
  return seconds < SAME_LENGTH ? 0 : Math.round(seconds * 1_000) / 1_000
}

/**
 * Stores silence behind sounds that end before the pictures: players stand still where one part of a stream ends. The encoder's files stay. Does
 * nothing where it is stored already.
 * @param prefix of the stream @param ladder its playlist as the encoder wrote it
 * @returns the playlist with sounds as long as the pictures
 * @throws ObjectMissing where the stream is being removed
 */
export async function storeSilence(objects: StreamObjects, prefix: string, ladder: string): Promise<string> {
  const { pictures, sounds } = await partsOf(objects, prefix, ladder)
  let longer = ladder
  for (const sound of sounds) {
    const missing = (pictures?.seconds ?? 0) - sound.seconds
    if (missing < SAME_LENGTH) continue
    const uri = await storePadded(objects, prefix, sound, missing)
    if (uri) longer = longer.replaceAll(`URI="${sound.uri}"`, `URI="${uri}"`)
  }
  return longer
}

/** @returns the playlist that was stored; undefined where no silence fits the sound */
async function storePadded(objects: StreamObjects, prefix: string, { uri, playlist }: Part, missing: number): Promise<string | undefined> {
  const name = uri.replace(/\.m3u8$/, '')
  const padded = `${name}_padded.m3u8`
  if (await objects.head(`${prefix}${padded}`)) return padded
  const [, init = ''] = /^#EXT-X-MAP:.*URI="([^"]+)"/m.exec(playlist) ?? []
  const last = linesOf(playlist).findLast((line) => !line.startsWith('#')) ?? ''
  const track = silentTrack(await bytesOf(objects, `${prefix}${init}`), await bytesOf(objects, `${prefix}${last}`))
  if (!track) return undefined
  const put = (file: string, body: Buffer, contentType: string) =>
    objects.put(`${prefix}${file}`, body, { contentType, cacheControl: streamCacheControl(file) })
  const segments = silenceOf(name, Math.round(missing / FRAME_SECONDS))
  await inParallel(segments, PARALLELISM, async ({ file, after, count }) => {
    await put(file, silentSegment(track, after, count), 'video/iso.segment')
  })
  await put(padded, Buffer.from(withSilence(playlist, segments)), 'application/vnd.apple.mpegurl')
  return padded
}

interface Silence {
  file: string
  /** Frames of silence before it, and in it. */
  after: number
  count: number
}

/** Segments of about the same length, none of which is longer than usual. */
function silenceOf(name: string, frames: number): Silence[] {
  const segments = Math.ceil((frames * FRAME_SECONDS) / SEGMENT_SECONDS)
  const begin = (index: number) => Math.round((index * frames) / segments)
  return Array.from({ length: segments }, (_, index) => ({
    file: `${name}_silence_${String(index).padStart(5, '0')}.m4s`,
    after: begin(index),
    count: begin(index + 1) - begin(index),
  }))
}

/** A sound's media playlist with silence at its end. */
function withSilence(playlist: string, segments: readonly Silence[]): string {
  const target = (seconds: string) => Math.max(Number(seconds), SEGMENT_SECONDS)
  return linesOf(playlist)
    .map((line) => line.replace(/^#EXT-X-TARGETDURATION:(\d+)/, (_, seconds) => `#EXT-X-TARGETDURATION:${target(seconds)}`))
    .flatMap((line) => {
      if (line !== '#EXT-X-ENDLIST') return [line]
      return [...segments.flatMap(({ file, count }) => [`#EXTINF:${(count * FRAME_SECONDS).toFixed(6)},`, file]), line, '']
    })
    .join('\n')
}

/** The pictures in one of their sizes, and all sounds. Parts that aren't there are left out. */
async function partsOf(objects: Pick<StreamObjects, 'get'>, prefix: string, ladder: string): Promise<{ pictures?: Part; sounds: Part[] }> {
  const sounds = new Set(Array.from(ladder.matchAll(/^#EXT-X-MEDIA:(?=.*TYPE=AUDIO).*[:,]URI="([^"]+)"/gm), ([, uri = '']) => uri))
  const read = async (uri: string): Promise<Part[]> => {
    const playlist = await storedText(objects, `${prefix}${uri}`)
    return playlist === undefined ? [] : [{ uri, playlist, seconds: secondsOf(playlist) }]
  }
  const [[pictures] = [], ...heard] = await Promise.all([picturesOf(ladder), ...sounds].map(read))
  return { ...(pictures && { pictures }), sounds: heard.flat() }
}

const linesOf = (playlist: string): string[] => playlist.split(/\r?\n/).filter((line) => line.trim() !== '')

const bytesOf = async (objects: Pick<StreamObjects, 'get'>, key: string): Promise<Buffer> => buffer((await objects.get(key)).stream)
