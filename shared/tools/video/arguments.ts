import { availableParallelism } from 'node:os'
import {
  AUDIO_BITS_PER_SECOND,
  KEYFRAME_SECONDS,
  type PreviewOutput,
  type Rung,
  SEGMENT_SECONDS,
  type Sound,
  type StreamOutput,
  type VideoFacts,
} from '../../vocabulary/video.ts'
import { toBt709 } from './colours.ts'
import type { Inspected } from './inspect.ts'
import { known, rungsOf } from './limits.ts'

export const PREVIEW = 'preview.mp4'

/** Names of files of one size or one sound of a stream. */
export const mediaPlaylist = (part: string): string => `ladder_${part}.m3u8`
export const initSection = (part: string): string => `${part}_init.mp4`

/** Ticks a second of outputs. All usual frame rates divide it, and irregular frames keep their time. */
const TIMEBASE = 90_000

/** Most frames a second: 60, with a margin for files whose times are in milliseconds. */
const MOST_FRAMES = 70

/** Threads of an encoder or the filters. Limited, because each keeps frames in memory. */
const threads = (most: number): string => String(Math.min(Math.ceil(availableParallelism() * 1.5), most))

/** ffmpeg's arguments after its input: one filter graph for one decode, and its outputs. */
export function outputArguments(output: PreviewOutput | StreamOutput, inspected: Inspected, facts: VideoFacts): string[] {
  const outputs = output.kind === 'preview' ? preview(output, inspected, facts) : stream(output, inspected, facts)
  return ['-filter_complex_threads', threads(4), '-filter_complex', graph(output, inspected, facts), ...outputs]
}

/** ffmpeg turns frames upright itself. Scales to the largest size, from which the smaller ones are made. All sizes have square pixels. */
function graph(output: PreviewOutput | StreamOutput, { isInterlaced, colours }: Inspected, facts: VideoFacts): string {
  const [largest, ...smaller] = rungsOf(output)
  if (!largest) throw new Error('a stream has at least one size')
  const base = [
    ...(isInterlaced ? ['bwdif=mode=send_field:deint=interlaced'] : []),
    ...still(output),
    ...thinned(facts),
    toBt709(scale(largest), colours),
    'setsar=1',
  ].join(',')
  if (smaller.length === 0) return `[0:V:0]${base}[v0]`
  const branches = smaller.map((_, index) => `[s${index + 1}]`).join('')
  const sizes = smaller.map((rung, index) => `[s${index + 1}]${scale(rung)},setsar=1[v${index + 1}]`)
  // No branch drops frames: while one waits for its next frame, ffmpeg keeps those of the others in memory.
  return [`[0:V:0]${base},split=${smaller.length + 1}[v0]${branches}`, ...sizes].join(';')
}

/**
 * Faster videos keep every second or third frame, and so on, each with its longer duration. Others, and those with unknown rate, lose
 * frames that follow too closely.
 */
function thinned({ frameRate }: VideoFacts): string[] {
  const rate = known(frameRate)
  if (rate !== undefined && rate > MOST_FRAMES) return [`fps=${keptRate(rate).toFixed(3)}`]
  return [`select='if(isnan(prev_selected_t),1,gte(t-prev_selected_t,1/${MOST_FRAMES}))'`]
}

/** Holds the last frame until the sound ends. */
const still = (output: PreviewOutput | StreamOutput): string[] =>
  output.kind === 'stream' && output.stillSeconds ? [`tpad=stop_mode=clone:stop_duration=${output.stillSeconds}`] : []

const keptRate = (rate: number): number => rate / Math.ceil(rate / MOST_FRAMES)

const scale = ({ width, height }: Pick<Rung, 'width' | 'height'>) => `scale=${width}:${height}:flags=bicubic`

function preview(output: PreviewOutput, inspected: Inspected, facts: VideoFacts): string[] {
  const sound = inspected.sounds.flatMap((each) => audio(each, FROM_BEGINNING))
  return ['-map', '[v0]', ...video(output, inspected, facts), ...sound, ...clean, '-movflags', '+faststart', '-f', 'mp4', PREVIEW]
}

function stream({ rungs }: StreamOutput, inspected: Inspected, facts: VideoFacts): string[] {
  // Without scene cuts all sizes have keyframes at the same times, where players switch between sizes.
  const size = (rung: Rung) => [...video(rung, inspected, facts), '-sc_threshold', '0', ...clean, ...hls(rung.name)]
  return [
    ...rungs.flatMap((rung, index) => ['-map', `[v${index}]`, ...size(rung)]),
    ...inspected.sounds.flatMap((sound) => [...audio(sound, `${FROM_BEGINNING},${WITHOUT_PRIMING}`), ...clean, ...hls(sound.part)]),
  ]
}

/** Drops metadata of camera and user, such as a place. */
const clean = ['-map_metadata', '-1', '-map_chapters', '-1']

function video({ maxBitsPerSecond }: Pick<Rung, 'maxBitsPerSecond'>, inspected: Inspected, facts: VideoFacts): string[] {
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-threads', threads(12)],
    ...['-crf', '23', '-maxrate', String(maxBitsPerSecond), '-bufsize', String(2 * maxBitsPerSecond)],
    ...['-force_key_frames', `expr:gte(t,n_forced*${KEYFRAME_SECONDS})`],
    ...['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
    // The encoder chooses its level by frame rate, which it can't derive from irregular times.
    ...['-fps_mode', 'vfr', '-enc_time_base', `1/${TIMEBASE}`, '-x264-params', `fps=${frameRate(inspected, facts).toFixed(3)}`],
  ]
}

/** Frames a second of the output. */
function frameRate({ isInterlaced }: Inspected, facts: VideoFacts): number {
  const rate = keptRate(known(facts.frameRate) ?? 30)
  return Math.max(isInterlaced ? 2 * rate : rate, 1)
}

/** Samples a second. */
const SAMPLE_RATE = 48_000

/** Fills gaps with silence, also the first one. */
const FROM_BEGINNING = `aresample=${SAMPLE_RATE}:async=1000:first_pts=0`

/**
 * AAC begins with priming samples. An edit list tells players to skip them, but streams have none. So in streams they replace the first
 * samples of the sound, and the rest stays in sync.
 */
const PRIMING_SAMPLES = 1_024
const WITHOUT_PRIMING = `apad=whole_len=${2 * PRIMING_SAMPLES},atrim=start_sample=${PRIMING_SAMPLES}`

const audio = ({ track, channels }: Sound, filters: string) => [
  ...['-map', `0:a:${track}`, '-af', filters, '-c:a', 'aac', '-profile:a', 'aac_low'],
  ...['-b:a', String(AUDIO_BITS_PER_SECOND[channels]), '-ac', String(channels), '-ar', String(SAMPLE_RATE)],
]

/** `cmaf` makes times begin at zero without an edit list, which stream players ignore. */
function hls(part: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_playlist_type', 'vod', '-hls_flags', 'independent_segments'],
    ...['-hls_segment_type', 'fmp4', '-hls_segment_options', 'movflags=cmaf'],
    ...['-hls_fmp4_init_filename', initSection(part), '-hls_segment_filename', `${part}_%05d.m4s`, mediaPlaylist(part)],
  ]
}
