import type { FileTags } from '../../tools/metadata/tags.ts'
import { codecName } from '../../tools/video/codec-names.ts'
import type { Probed } from '../../tools/video/probe.ts'
import type { VideoFacts } from '../../vocabulary/video.ts'

type Printed = FileTags['printed']
type Place = readonly [group: string, tag: string]

/** The tags that tell each fact, by container. The first one present wins. */
const places = {
  frameRate: [
    ['QuickTime', 'VideoFrameRate'],
    ['Matroska', 'VideoFrameRate'],
    ['RIFF', 'VideoFrameRate'],
    ['Flash', 'FrameRate'],
    ['MPEG', 'FrameRate'],
    ['Theora', 'FrameRate'],
    ['MXF', 'EditRate'],
    ['DV', 'FrameRate'],
  ],
  // Leaves out durations that ExifTool estimates from the file size (MPEG, Ogg): they may be several times too long or short.
  seconds: [
    ['QuickTime', 'Duration'],
    ['Matroska', 'Duration'],
    ['M2TS', 'Duration'],
    ['Flash', 'Duration'],
    ['ASF', 'SendDuration'],
    ['MXF', 'Duration'],
    ['DV', 'Duration'],
  ],
  videoCodec: [
    ['QuickTime', 'CompressorID'],
    ['RIFF', 'VideoCodec'],
    ['ASF', 'VideoCodecName'],
  ],
  /** Signs of sound. */
  sound: [
    ['QuickTime', 'AudioFormat'],
    ['RIFF', 'AudioSampleRate'],
    ['ASF', 'AudioCodecID'],
    ['Flash', 'AudioEncoding'],
    ['MPEG', 'AudioLayer'],
    ['M2TS', 'AudioStreamType'],
    ['Vorbis', 'AudioChannels'],
    ['Opus', 'AudioChannels'],
    ['DV', 'AudioSampleRate'],
  ],
} as const satisfies Record<string, readonly Place[]>

/**
 * Facts of a video from the probe, and from the tags where the probe has none.
 * @param probed undefined if the probe doesn't know the container or the file is damaged
 */
export function videoFacts(probed: Probed | undefined, tags: Pick<FileTags, 'printed'> | undefined): VideoFacts {
  const printed = tags?.printed ?? {}
  const facts = probed?.hasVideo ? probed.facts : undefined
  return {
    seconds: facts?.seconds ?? positive(firstOf(printed, places.seconds)) ?? secondsByFrames(printed),
    frameRate: facts?.frameRate ?? positive(firstOf(printed, places.frameRate)),
    videoCodec: facts?.videoCodec ?? codecName(firstOf(printed, places.videoCodec)) ?? (printed.DV ? 'dv' : null),
    audioCodec: facts?.audioCodec ?? audioCodecOfAvi(printed),
    ...(facts?.audioTracks && { audioTracks: facts.audioTracks }),
    hasAudio: facts?.hasAudio ?? (saysSound(printed) || null),
    isHdr: facts?.isHdr ?? false,
  }
}

/** Whether the tags of a film's container have signs of sound. */
export function saysSound(printed: Printed): boolean {
  return firstOf(printed, places.sound) !== undefined || printed.QuickTime?.HandlerType === 'soun'
}

/** Audio codecs of AVI by number, except PCM (`WAVE_FORMAT_`, RFC 2361). */
const aviSounds: { [number: number]: string } = { 80: 'mp2', 85: 'mp3', 255: 'aac', 352: 'wmav1', 353: 'wmav2', 8192: 'ac3' }

const PCM = 1

/** PCM codecs differ in bits per sample. */
function audioCodecOfAvi({ RIFF = {} }: Printed): string | null {
  const { Encoding, BitsPerSample } = RIFF
  if (Encoding !== PCM) return aviSounds[Number(Encoding)] ?? null
  return BitsPerSample === 8 ? 'pcm-u8' : `pcm-s${BitsPerSample ?? 16}`
}

/** AVI stores a number of frames instead of a duration. */
function secondsByFrames({ RIFF = {} }: Printed): number | null {
  const [frames, rate] = [positive(RIFF.VideoFrameCount), positive(RIFF.VideoFrameRate)]
  return frames && rate ? thousandths(frames / rate) : null
}

/** The value of the first track that has one of the tags. */
function firstOf(printed: Printed, from: readonly Place[]): unknown {
  return from.flatMap(([group, tag]) => printed[group]?.[tag] ?? [])[0]
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? thousandths(value) : null
}

const thousandths = (value: number) => Math.round(value * 1000) / 1000
