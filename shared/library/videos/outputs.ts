import {
  type AudioTrack,
  ONLY_SOUND,
  type PreviewOutput,
  type Rung,
  type Sound,
  type StreamOutput,
  type VideoFacts,
} from '../../vocabulary/video.ts'
import { languageName } from './playlist.ts'

interface Size {
  /** Pixels. */
  width: number
  height: number
}

/** Sizes of streams, by the shorter side in pixels, largest first. */
const STANDARD_SIDES = [1080, 720, 480, 360, 240]
/** Largest ratio of a rung to the one above it. Closer rungs would look the same. */
const STEP = 0.8
/** Widest preview, in pixels. */
const PREVIEW_WIDTH = 1280
const PREVIEW_BITS_PER_SECOND = 3_500_000
/** Longest encoded side, in pixels. Players decode no more. */
const LONGEST_SIDE = 4096

/** Highest bitrates by pixels, in bits per second: of the standard sizes at 16:9, and of none. */
const BITRATES = [
  [0, 100_000],
  [426 * 240, 500_000],
  [640 * 360, 900_000],
  [854 * 480, 1_600_000],
  [1280 * 720, 3_500_000],
  [1920 * 1080, 6_000_000],
] as const

/**
 * The sizes of a stream, largest first: the video's own, at most 1080p, and the standard ones below. None is larger than the video, and all keep its
 * aspect ratio.
 */
export function ladderOf(video: Size): Rung[] {
  const side = Math.min(video.width, video.height)
  const largest = scaled(video, 1)
  const sides = [Math.min(largest.width, largest.height, STANDARD_SIDES[0]!)]
  for (const standard of STANDARD_SIDES) if (standard <= STEP * sides.at(-1)!) sides.push(standard)
  return sides.map((each) => {
    const size = scaled(video, each / side)
    return { name: `${Math.min(size.width, size.height)}p`, ...size, maxBitsPerSecond: bitrateOf(size) }
  })
}

/** The wanted stream of a video. @param prefix of its objects @param stillSeconds for which its sound goes on after its pictures */
export function streamOutput(video: Size, facts: VideoFacts, prefix: string, stillSeconds?: number): StreamOutput {
  return { kind: 'stream', prefix, rungs: ladderOf(video), sounds: soundsOf(facts), ...(stillSeconds && { stillSeconds }) }
}

/** The wanted preview of a video. @param key of its object */
export function previewOutput(video: Size, facts: VideoFacts, key: string): PreviewOutput {
  const size = scaled(video, Math.min(1, PREVIEW_WIDTH / video.width))
  return {
    kind: 'preview',
    key,
    ...size,
    maxBitsPerSecond: Math.min(PREVIEW_BITS_PER_SECOND, bitrateOf(size)),
    audioTrack: defaultTrack(facts),
  }
}

/** Encoders need even sides. */
function scaled({ width, height }: Size, wanted: number): Size {
  const factor = Math.min(wanted, LONGEST_SIDE / Math.max(width, height))
  const side = (pixels: number) => Math.max(2, Math.min(2 * Math.round((pixels * factor) / 2), 2 * Math.floor(pixels / 2)))
  return { width: side(width), height: side(height) }
}

/** Interpolates between the standard sizes, and beyond the largest, by pixels. */
function bitrateOf({ width, height }: Size): number {
  const pixels = width * height
  const above = BITRATES.findIndex(([larger]) => larger >= pixels)
  const upper = above === -1 ? BITRATES.length - 1 : Math.max(1, above)
  const [[fewer, low], [more, high]] = [BITRATES[upper - 1]!, BITRATES[upper]!]
  return Math.round(low + ((pixels - fewer) / (more - fewer)) * (high - low))
}

/** Channels of 5.1. Tracks with more are mixed down to it. */
const SURROUND = 6

/** The audio of a video's stream: each track in stereo, and in 5.1 where it has as many channels. The default track comes first. */
function soundsOf(facts: VideoFacts): Sound[] {
  const { hasAudio, audioTracks = [] } = facts
  if (hasAudio === false) return []
  if (audioTracks.length === 0) return [ONLY_SOUND]
  const first = defaultTrack(facts)
  const order = [first, ...audioTracks.keys().filter((index) => index !== first)]
  const names = new Set<string>()
  return order.flatMap((index) => {
    const track = audioTracks[index]!
    const sound = { track: index, name: uniqueName(track, names), language: track.language, isDefault: index === first }
    const part = index === 0 ? ONLY_SOUND.part : `${ONLY_SOUND.part}_${index + 1}`
    const stereo: Sound = { ...sound, part, channels: 2 }
    return (track.channels ?? 0) < SURROUND ? [stereo] : [stereo, { ...sound, part: `${part}_surround`, channels: SURROUND }]
  })
}

/** The default track: the first that the file marks as such, else the first. */
const defaultTrack = ({ audioTracks = [] }: VideoFacts): number =>
  Math.max(
    0,
    audioTracks.findIndex(({ isDefault }) => isDefault),
  )

function uniqueName({ name, language }: AudioTrack, names: Set<string>): string {
  const own = name ?? (language === null ? 'Audio' : languageName(language))
  let unique = own
  for (let count = 2; names.has(unique); count++) unique = `${own} ${count}`
  names.add(unique)
  return unique
}
