import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import HLS from 'hls-parser'
import { LADDER } from '../../shared/vocabulary/video.ts'
import type { EncodedVideo } from './encoded-video.ts'
import { runFfmpeg } from './videos.ts'

/** One size of a stream, or its sound, as readers that aren't ours find it. */
export interface ReadPart {
  uri: string
  /** By its playlist, in seconds. */
  seconds: number
  /** When its frames are shown, in seconds, and which of them a player can begin with. */
  frames: readonly number[]
  keyframes: readonly number[]
  /** Bits a second of its segments, by the playlist's durations. */
  rates: readonly number[]
}

export interface ReadStream {
  variants: readonly { variant: HLS.types.Variant; part: ReadPart }[]
  /** By their playlists; and the first of them. */
  sounds: ReadonlyMap<string, ReadPart>
  audio: ReadPart | undefined
}

/** The files of a stream. */
type StreamFiles = Pick<EncodedVideo, 'path' | 'text'>

/**
 * Reads a stream as a player would: its playlists by `hls-parser`, every frame of every part by ffmpeg. Neither may find anything wrong.
 * @param playlist its name: the encoder's, or that which viewers get
 */
export async function readStream(encoded: StreamFiles, playlist = LADDER): Promise<ReadStream> {
  HLS.setOptions({ strictMode: true })
  const ladder = HLS.parse(await encoded.text(playlist))
  assert.ok(ladder.isMasterPlaylist)
  assert.ok(ladder.independentSegments)
  const variants = []
  for (const variant of ladder.variants) variants.push({ variant, part: await readPart(encoded, variant.uri) })
  const sounds = new Map<string, ReadPart>()
  for (const { uri } of ladder.variants.flatMap(({ audio }) => audio))
    if (!sounds.has(uri!)) sounds.set(uri!, await readPart(encoded, uri!))
  return { variants, sounds, audio: sounds.values().next().value }
}

async function readPart(encoded: StreamFiles, uri: string): Promise<ReadPart> {
  const playlist = HLS.parse(await encoded.text(uri))
  assert.ok(!playlist.isMasterPlaylist)
  assert.equal(playlist.playlistType, 'VOD')
  assert.ok(playlist.endlist)
  const rates: number[] = []
  for (const { uri: name, duration } of playlist.segments) {
    assert.ok(Math.round(duration) <= playlist.targetDuration)
    rates.push(((await stat(encoded.path(name))).size * 8) / duration)
  }
  const seconds = playlist.segments.reduce((sum, { duration }) => sum + duration, 0)
  return { uri, seconds, rates, ...(await framesOf(encoded.path(uri))) }
}

/** Decodes all frames, and tells their times. @throws where a decoder finds something wrong */
export async function framesOf(path: string): Promise<Pick<ReadPart, 'frames' | 'keyframes'>> {
  const { stderr } = await runFfmpeg(['-v', 'warning', '-i', path, '-f', 'null', '-'])
  assert.equal(stderr, '')
  const { stdout } = await runFfmpeg(['-v', 'error', '-i', path, '-c', 'copy', '-f', 'framecrc', '-'])
  const [, ticks, second] = /^#tb 0: (\d+)\/(\d+)/m.exec(stdout)!.map(Number)
  const packets = stdout.split('\n').filter((line) => line.startsWith('0,'))
  const times = packets.map((line) => ({ time: (Number(line.split(',')[2]) * ticks!) / second!, isKey: !line.includes('F=0x0') }))
  const sorted = times.toSorted((a, b) => a.time - b.time)
  return { frames: sorted.map(({ time }) => time), keyframes: sorted.filter(({ isKey }) => isKey).map(({ time }) => time) }
}

/** How long a media playlist plays, in seconds. */
export function secondsOf(playlist: string): number {
  return Array.from(playlist.matchAll(/^#EXTINF:([\d.]+)/gm), ([, seconds]) => Number(seconds)).reduce((sum, each) => sum + each)
}
