import {
  AUDIO_BITS_PER_SECOND,
  ONLY_SOUND,
  type PreviewOutput,
  type Rung,
  type Sound,
  type StreamOutput,
  type VideoSource,
} from '../../vocabulary/video.ts'
import { type TimeLimit, timeLimit } from '../processes/time-limit.ts'

/** The limits of one encode. */
export interface EncodeLimits {
  /** Time after which ffmpeg is killed. */
  time: TimeLimit
  /** Time without a new frame or byte after which it is killed. */
  stalled: TimeLimit
  /** Most bytes that it may write. */
  bytes: number
  /** Address space, in MiB. */
  memoryMib: number
  /** Poll interval of its output, in milliseconds. */
  pollMilliseconds: number
}

/** Longest video that is encoded: twelve hours. Videos without a duration count as that long. */
const MAX_SECONDS = 12 * 3_600

/** Frames a second if unknown, and the most that are encoded. */
const MAX_FRAME_RATE = 60

/** Pixels a second that a slow machine encodes or decodes: 1080p at three frames a second. */
const SLOW_PIXELS_PER_SECOND = 1_920 * 1_080 * 3

/** Pixels a second of 1080p at 60 frames. */
const HD_PIXELS_PER_SECOND = 1_920 * 1_080 * 60

/**
 * Upper bound: no video may occupy two processors longer than five minutes plus ten times its duration, up to forty times for frames above
 * 1080p. Some files are small but take very long. Measured: a stream of five seconds of 4K HDR at 60 frames took 35 times as long, on two
 * shared processors.
 */
const mostMilliseconds = (seconds: number, pixelsPerSecond: number) =>
  300_000 + Math.min(Math.max(10 * (pixelsPerSecond / HD_PIXELS_PER_SECOND), 10), 40) * seconds * 1_000

/** Limit in any case, also for files without facts. */
const MAX_MILLISECONDS = 24 * 3_600_000

/** Processors of a slow machine: factor from wall time to processor time. */
const PROCESSORS = 2

/** Five sizes of 8K HDR take 4.6 GiB of address space, of which half is used. */
const MEMORY_MIB = 6_144

/** Video sizes of an output, largest first. */
export const rungsOf = (output: PreviewOutput | StreamOutput): readonly Omit<Rung, 'name'>[] =>
  output.kind === 'preview' ? [output] : output.rungs

/** Sounds of an output, as far as the video has their tracks. */
export const soundsOf = (output: PreviewOutput | StreamOutput): readonly Sound[] =>
  output.kind === 'preview' ? [{ ...ONLY_SOUND, track: output.audioTrack ?? 0 }] : output.sounds

/** Limits from a video's facts. A video that exceeds its declared facts is stopped. */
export function limitsOf({ width, height, facts }: VideoSource, output: PreviewOutput | StreamOutput): EncodeLimits {
  const still = (output.kind === 'stream' && output.stillSeconds) || 0
  const seconds = Math.min((known(facts.seconds) ?? MAX_SECONDS) + still, MAX_SECONDS)
  const frameRate = Math.min(known(facts.frameRate) ?? MAX_FRAME_RATE, MAX_FRAME_RATE)
  const rungs = rungsOf(output)
  const pixels = rungs.reduce((sum, rung) => sum + rung.width * rung.height, width * height)
  const audioBits = soundsOf(output).reduce((sum, { channels }) => sum + AUDIO_BITS_PER_SECOND[channels], 0)
  const bitsPerSecond = rungs.reduce((sum, rung) => sum + rung.maxBitsPerSecond, audioBits)
  return {
    time: timeLimit(
      PROCESSORS *
        Math.min(
          60_000 + (seconds * frameRate * pixels * 1_000) / SLOW_PIXELS_PER_SECOND,
          mostMilliseconds(seconds, width * height * frameRate),
          MAX_MILLISECONDS,
        ),
    ),
    // Long, because at the end ffmpeg moves a preview's data to put the index first. The file doesn't grow meanwhile.
    stalled: timeLimit(600_000),
    // A third more for container overhead and understated durations; some megabytes for short videos.
    bytes: Math.ceil(((seconds * bitsPerSecond) / 8) * 1.34) + 32 * 1024 ** 2,
    memoryMib: MEMORY_MIB,
    pollMilliseconds: 5_000,
  }
}

/** A plausible number; undefined for zero and nonsense. */
export const known = (value: number | null): number | undefined =>
  value !== null && value > 0 && Number.isFinite(value) ? value : undefined
