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

/** The file of a preview. */
export const PREVIEW = 'preview.mp4'

/** Names of the files of a stream's part: of one size, or of one sound. */
export const mediaPlaylist = (part: string): string => `ladder_${part}.m3u8`
export const initSection = (part: string): string => `${part}_init.mp4`

/** Ticks a second of what is written: all usual frame rates divide it, and frames that come irregularly keep their time. */
const TIMEBASE = 90_000

/** Most frames a second: 60, with room for times that files tell in milliseconds. */
const MOST_FRAMES = 70

/** Threads of one encoder, or of the filters: each keeps frames in memory. */
const threads = (most: number): string => String(Math.min(Math.ceil(availableParallelism() * 1.5), most))

/** Arguments of ffmpeg after its input: one graph of filters for one decode, and the outputs that it feeds. */
export function outputArguments(output: PreviewOutput | StreamOutput, inspected: Inspected, facts: VideoFacts): string[] {
  const outputs = output.kind === 'preview' ? preview(output, inspected, facts) : stream(output, inspected, facts)
  return ['-filter_complex_threads', threads(4), '-filter_complex', graph(output, inspected, facts), ...outputs]
}

/**
 * Frames are made upright by ffmpeg itself. They become as large as the largest size, and the smaller sizes are made of that one. Sizes have
 * square pixels, whatever those of the source are.
 */
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
  // Each branch takes every frame: ffmpeg keeps those of the others in memory for as long as one waits for its next.
  return [`[0:V:0]${base},split=${smaller.length + 1}[v0]${branches}`, ...sizes].join(';')
}

/**
 * Of faster videos every second frame remains, or every third, and so on: each lasts until the next, and so does the last one. Of
 * others, and where the rate isn't known, frames are left out that come too close to the former.
 */
function thinned({ frameRate }: VideoFacts): string[] {
  const rate = known(frameRate)
  if (rate !== undefined && rate > MOST_FRAMES) return [`fps=${keptRate(rate).toFixed(3)}`]
  return [`select='if(isnan(prev_selected_t),1,gte(t-prev_selected_t,1/${MOST_FRAMES}))'`]
}

/** The last frame stays for as long as the sound goes on. */
const still = (output: PreviewOutput | StreamOutput): string[] =>
  output.kind === 'stream' && output.stillSeconds ? [`tpad=stop_mode=clone:stop_duration=${output.stillSeconds}`] : []

const keptRate = (rate: number): number => rate / Math.ceil(rate / MOST_FRAMES)

const scale = ({ width, height }: Pick<Rung, 'width' | 'height'>) => `scale=${width}:${height}:flags=bicubic`

function preview(output: PreviewOutput, inspected: Inspected, facts: VideoFacts): string[] {
  const sound = inspected.sounds.flatMap((each) => audio(each, FROM_BEGINNING))
  return ['-map', '[v0]', ...video(output, inspected, facts), ...sound, ...clean, '-movflags', '+faststart', '-f', 'mp4', PREVIEW]
}

function stream({ rungs }: StreamOutput, inspected: Inspected, facts: VideoFacts): string[] {
  // Frames at which a player can begin come at the same times in all sizes, and at no others: players change between sizes there.
  const size = (rung: Rung) => [...video(rung, inspected, facts), '-sc_threshold', '0', ...clean, ...hls(rung.name)]
  return [
    ...rungs.flatMap((rung, index) => ['-map', `[v${index}]`, ...size(rung)]),
    ...inspected.sounds.flatMap((sound) => [...audio(sound, `${FROM_BEGINNING},${WITHOUT_PRIMING}`), ...clean, ...hls(sound.part)]),
  ]
}

/** Nothing of what a camera or a user wrote into the file, such as a place. */
const clean = ['-map_metadata', '-1', '-map_chapters', '-1']

function video({ maxBitsPerSecond }: Pick<Rung, 'maxBitsPerSecond'>, inspected: Inspected, facts: VideoFacts): string[] {
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-threads', threads(12)],
    ...['-crf', '23', '-maxrate', String(maxBitsPerSecond), '-bufsize', String(2 * maxBitsPerSecond)],
    ...['-force_key_frames', `expr:gte(t,n_forced*${KEYFRAME_SECONDS})`],
    ...['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
    // The encoder chooses its level by a frame rate, which irregular times don't tell.
    ...['-fps_mode', 'vfr', '-enc_time_base', `1/${TIMEBASE}`, '-x264-params', `fps=${frameRate(inspected, facts).toFixed(3)}`],
  ]
}

/** Frames a second of what is made. */
function frameRate({ isInterlaced }: Inspected, facts: VideoFacts): number {
  const rate = keptRate(known(facts.frameRate) ?? 30)
  return Math.max(isInterlaced ? 2 * rate : rate, 1)
}

/** Samples a second. */
const SAMPLE_RATE = 48_000

/** Gaps become silence, also the first one. */
const FROM_BEGINNING = `aresample=${SAMPLE_RATE}:async=1000:first_pts=0`

/**
 * AAC begins with samples that only prime its decoder. An edit list tells players to leave them out. Streams have none, so they replace the
 * first samples of the sound, and the others come in time.
 */
const PRIMING_SAMPLES = 1_024
const WITHOUT_PRIMING = `apad=whole_len=${2 * PRIMING_SAMPLES},atrim=start_sample=${PRIMING_SAMPLES}`

const audio = ({ track, channels }: Sound, filters: string) => [
  ...['-map', `0:a:${track}`, '-af', filters, '-c:a', 'aac', '-profile:a', 'aac_low'],
  ...['-b:a', String(AUDIO_BITS_PER_SECOND[channels]), '-ac', String(channels), '-ar', String(SAMPLE_RATE)],
]

/** `cmaf`: times begin at zero without an edit list, which players of streams ignore. */
function hls(part: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_playlist_type', 'vod', '-hls_flags', 'independent_segments'],
    ...['-hls_segment_type', 'fmp4', '-hls_segment_options', 'movflags=cmaf'],
    ...['-hls_fmp4_init_filename', initSection(part), '-hls_segment_filename', `${part}_%05d.m4s`, mediaPlaylist(part)],
  ]
}
