import type { FileHandle } from 'node:fs/promises'
import {
  CustomSource,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  WEBM,
} from 'mediabunny'
import { type AudioTrack, MOST_AUDIO_TRACKS } from '../../vocabulary/video.ts'
import { isOfTheSystem } from '../failure.ts'
import { codecName } from './codec-names.ts'
import type { Probed } from './probe.ts'
import { isSize, type Size } from './shown-size.ts'

/** Largest read of the file, in bytes: enough for the index of a film of many hours. */
const MAX_READ = 128 * 1024 ** 2

/** Frames to measure the frame rate. Containers that interleave frames and sound are read that far. */
const MEASURED_FRAMES = 256

/** A container's facts about its tracks. */
export interface Contained extends Omit<Probed, 'width' | 'height'> {
  /** Absent if unknown. */
  size?: Size & { hasSquarePixels: boolean }
}

/**
 * Reads facts about the first video and first sound from a film's container. Damaged parts stay unknown.
 * @throws Error for other containers, and those without readable tracks
 */
export async function probeContainer(handle: FileHandle): Promise<Contained> {
  // The library's single-file formats. A playlist could refer to other files.
  using input = new Input({ formats: [MP4, QTFF, MATROSKA, WEBM, MPEG_TS], source: sourceOf(handle) })
  const [video] = await input.getVideoTracks()
  const audioTracks = await input.getAudioTracks()
  const [audio] = audioTracks
  const tracks = [video, audio].filter((track) => track !== undefined)
  const size = await sizeOf(video)
  return {
    hasVideo: video !== undefined,
    hasAudio: audio !== undefined,
    ...(size && { size }),
    facts: {
      seconds: await secondsOf(tracks),
      frameRate: video ? await frameRateOf(video) : null,
      videoCodec: await codecOf(video),
      audioCodec: await codecOf(audio),
      hasAudio: audio !== undefined,
      ...(audio && { audioTracks: await Promise.all(audioTracks.slice(0, MOST_AUDIO_TRACKS).map(audioTrackOf)) }),
      isHdr: await isHdr(video),
    },
  }
}

/** Reads only from the open file, and at most `MAX_READ` at once. */
function sourceOf(handle: FileHandle): CustomSource {
  return new CustomSource({
    getSize: async () => (await handle.stat()).size,
    async read(start, end) {
      if (end - start > MAX_READ) throw new Error('a part of it is too large')
      const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start)
      return buffer.subarray(0, bytesRead)
    },
    prefetchProfile: 'fileSystem',
  })
}

async function sizeOf(video: InputVideoTrack | undefined): Promise<Contained['size']> {
  const size = await unlessDamaged(async () => {
    if (!video) return undefined
    const { num, den } = await video.getPixelAspectRatio()
    return { width: await video.getDisplayWidth(), height: await video.getDisplayHeight(), hasSquarePixels: num === den }
  })
  return size && isSize(size) ? size : undefined
}

/** Seconds from the earliest start to the latest end of all tracks. A transport stream's clock may begin anywhere. */
async function secondsOf(tracks: readonly InputTrack[]): Promise<number | null> {
  const spans = await Promise.all(tracks.map((track) => unlessDamaged(() => spanOf(track))))
  const known = spans.filter((span) => span !== undefined)
  const seconds = Math.max(...known.map(({ end }) => end)) - Math.min(...known.map(({ start }) => start))
  return Number.isFinite(seconds) && seconds > 0 ? rounded(seconds) : null
}

/** A track's span by its frames; without frames, by the declared duration. */
async function spanOf(track: InputTrack): Promise<{ start: number; end: number } | undefined> {
  const start = Math.max(0, await track.getFirstTimestamp())
  const end = await track.computeDuration()
  if (end > start) return { start, end }
  const declared = await track.getDurationFromMetadata()
  return declared === null ? undefined : { start: 0, end: declared }
}

async function frameRateOf(video: InputVideoTrack): Promise<number | null> {
  const metrics = await unlessDamaged(() => video.computeFrameRateMetrics({ targetPacketCount: MEASURED_FRAMES }))
  // A single frame has no rate.
  if (!metrics || metrics.probedPacketCount < 2) return null
  const { underlyingFrameRate, frameRateIsConstant, averageFrameRate } = metrics
  const rate = rounded((frameRateIsConstant && underlyingFrameRate) || averageFrameRate)
  return Number.isFinite(rate) && rate > 0 ? rate : null
}

async function codecOf(track: InputVideoTrack | InputAudioTrack | undefined): Promise<string | null> {
  const known = await unlessDamaged(async () => track?.getCodec())
  return codecName(known ?? (await unlessDamaged(async () => track?.getInternalCodecId())))
}

/** Longest name of a track, in characters. */
const LONGEST_NAME = 60

async function audioTrackOf(track: InputAudioTrack): Promise<AudioTrack> {
  // A playlist's line can't contain quotes and control characters.
  const name = (await unlessDamaged(() => track.getName()))
    ?.replaceAll(/[\p{Cc}"]/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
  return {
    language: languageOf(await unlessDamaged(() => track.getLanguageCode())),
    name: name?.toWellFormed() || null,
    channels: (await unlessDamaged(() => track.getNumberOfChannels())) ?? null,
    isDefault: (await unlessDamaged(() => track.getDisposition()))?.default ?? false,
  }
}

/** Longest language tag, in characters. */
const LONGEST_LANGUAGE = 35

/** Containers use ISO 639-2 or BCP 47. `und`, `mis`, `mul` and `zxx` are no languages. */
function languageOf(code: string | undefined): string | null {
  try {
    const { baseName } = new Intl.Locale(code ?? 'und')
    return /^(und|mis|mul|zxx)\b/.test(baseName) || baseName.length > LONGEST_LANGUAGE ? null : baseName
  } catch {
    return null
  }
}

async function isHdr(video: InputVideoTrack | undefined): Promise<boolean> {
  const colours = await unlessDamaged(async () => video?.getColorSpace())
  return colours?.transfer === 'pq' || colours?.transfer === 'hlg'
}

/** Rounds to thousandths. */
const rounded = (value: number) => Math.round(value * 1000) / 1000

/** Reads a part of the file; undefined if it is damaged, so that other parts still count. */
async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isOfTheSystem(error)) throw error
    return undefined
  }
}
