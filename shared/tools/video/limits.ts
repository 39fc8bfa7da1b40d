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
  /** After which ffmpeg is killed. */
  time: TimeLimit
  /** After which it is killed unless there is another frame or byte. */
  stalled: TimeLimit
  /** Bytes that it may write. */
  bytes: number
  /** Addresses that it may take, in MiB. */
  memoryMib: number
  /** How often is looked at what it has written, in milliseconds. */
  lookMilliseconds: number
}

/** The longest video that is encoded: twelve hours. A video without a duration is taken for one. */
const MAX_SECONDS = 12 * 3_600

/** Frames a second where they aren't known, and the most that are encoded. */
const MAX_FRAME_RATE = 60

/** Pixels that a slow machine encodes in a second, or decodes: 1080p, three frames a second. */
const SLOW_PIXELS_PER_SECOND = 1_920 * 1_080 * 3

/** Pixels of 1080p at 60 frames, in a second. */
const HD_PIXELS_PER_SECOND = 1_920 * 1_080 * 60

/**
 * No video keeps two processors for longer than five minutes and ten times its own duration, or up to forty times where its frames are larger than
 * 1080p: some take few bytes and very long. Measured: five seconds of 4K HDR at 60 frames took 35 times as long for a stream, on two processors
 * that others used, too.
 */
const mostMilliseconds = (seconds: number, pixelsPerSecond: number) =>
  300_000 + Math.min(Math.max(10 * (pixelsPerSecond / HD_PIXELS_PER_SECOND), 10), 40) * seconds * 1_000

/** A file that tells little of itself may still not keep it for days. */
const MAX_MILLISECONDS = 24 * 3_600_000

/** Those of a slow machine: what it takes as many milliseconds for takes so many times that of the processor. */
const PROCESSORS = 2

/** Five sizes of HDR in 8K take 4.6 GiB, of which half is used. */
const MEMORY_MIB = 6_144

/** Sizes of the video that an output has, largest first. */
export const rungsOf = (output: PreviewOutput | StreamOutput): readonly Omit<Rung, 'name'>[] =>
  output.kind === 'preview' ? [output] : output.rungs

/** Sounds that an output has, where the video has their tracks. */
export const soundsOf = (output: PreviewOutput | StreamOutput): readonly Sound[] =>
  output.kind === 'preview' ? [{ ...ONLY_SOUND, track: output.audioTrack ?? 0 }] : (output.sounds ?? [ONLY_SOUND])

/** Limits by what a video says of itself. One that says too little of itself is stopped by them. */
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
    // At the end of a preview ffmpeg moves all of it, to put the index first: the file neither grows nor gets a frame meanwhile.
    stalled: timeLimit(600_000),
    // A third more for containers, and durations that are told in short; some megabytes for what is short itself.
    bytes: Math.ceil(((seconds * bitsPerSecond) / 8) * 1.34) + 32 * 1024 ** 2,
    memoryMib: MEMORY_MIB,
    lookMilliseconds: 5_000,
  }
}

/** A number that can be one: files tell zero, or nonsense. */
export const known = (value: number | null): number | undefined =>
  value !== null && value > 0 && Number.isFinite(value) ? value : undefined
