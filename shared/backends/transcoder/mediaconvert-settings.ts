import type {
  AudioDescription,
  AudioSelector,
  CreateJobCommandInput,
  H264Settings,
  Input,
  Output,
  OutputGroup,
  VideoDescription,
} from '@aws-sdk/client-mediaconvert'
import { type GroupedSound, type SoundGroup, soundGroups } from '../../vocabulary/sound-groups.ts'
import {
  AUDIO_BITS_PER_SECOND,
  KEYFRAME_SECONDS,
  LADDER,
  type PreviewOutput,
  SEGMENT_SECONDS,
  type Sound,
  type StreamOutput,
  type VideoFacts,
  type VideoSource,
} from '../../vocabulary/video.ts'
import { JobRefused, type TranscodingJob } from './port.ts'

/** MediaConvert's queue, role and buckets. */
export interface TranscodingPlace {
  queueArn: string
  /** The role with which MediaConvert reads videos and writes outputs. */
  roleArn: string
  mediaBucket: string
  publicBucket: string
}

/** In pixels. */
interface Size {
  width: number
  height: number
}

/**
 * A job as a request to MediaConvert.
 * @throws JobRefused for sizes that MediaConvert doesn't encode
 * @see https://docs.aws.amazon.com/mediaconvert/latest/apireference/jobs.html
 */
export function createJobInput({ token, companyId, mediaId, source, output }: TranscodingJob, place: TranscodingPlace) {
  const isPreview = output.kind === 'preview'
  return {
    Queue: place.queueArn,
    Role: place.roleArn,
    ClientRequestToken: token,
    // Events about the job contain it.
    UserMetadata: { companyId: String(companyId), mediaId: String(mediaId) },
    // Users may be waiting for a preview.
    Priority: isPreview ? 1 : 0,
    StatusUpdateInterval: 'SECONDS_600',
    Settings: {
      TimecodeConfig: { Source: 'ZEROBASED' },
      Inputs: [inputOf(source, output, place)],
      OutputGroups: isPreview ? previewGroups(output, source.facts, place) : streamGroups(output, source.facts, place),
    },
  } satisfies CreateJobCommandInput
}

/** A video's address for MediaConvert. */
export function inputUrl({ key }: Pick<VideoSource, 'key'>, { mediaBucket }: TranscodingPlace): string {
  return `s3://${mediaBucket}/${key}`
}

function inputOf(source: VideoSource, output: TranscodingJob['output'], place: TranscodingPlace): Input {
  return {
    FileInput: inputUrl(source, place),
    TimecodeSource: 'ZEROBASED',
    // Adds black frames until the sound ends. Not for other videos: sound rarely ends exactly with the last frame, so all would end in
    // black.
    VideoSelector: { Rotate: 'AUTO', ...(output.kind === 'stream' && output.stillSeconds && { PadVideo: 'BLACK' }) },
    ...(hasSound(source.facts) && { AudioSelectors: selectorsOf(source.facts) }),
  }
}

/** The selector of a track, from 0. */
const selector = (track: number) => `Audio Selector ${track + 1}`

/** One selector per track if there are several; otherwise MediaConvert finds the only track. */
function selectorsOf({ audioTracks = [] }: VideoFacts): { [name: string]: AudioSelector } {
  if (audioTracks.length < 2) return { [selector(0)]: { DefaultSelection: 'DEFAULT' } }
  return Object.fromEntries(audioTracks.map((_, track) => [selector(track), { SelectorType: 'TRACK', Tracks: [track + 1] }]))
}

/** If unknown, MediaConvert looks for sound itself. */
function hasSound({ hasAudio }: VideoFacts): boolean {
  return hasAudio !== false
}

function previewGroups(
  { key, maxBitsPerSecond, audioTrack = 0, ...size }: PreviewOutput,
  facts: VideoFacts,
  { mediaBucket }: TranscodingPlace,
): OutputGroup[] {
  if (!isEncodable(size)) throw refusal(size)
  const film = fileGroup(`s3://${mediaBucket}/${withoutExtension(key)}`, {
    Extension: 'mp4',
    ContainerSettings: { Container: 'MP4', Mp4Settings: { MoovPlacement: 'PROGRESSIVE_DOWNLOAD' } },
    VideoDescription: video(size, maxBitsPerSecond, facts),
    ...(hasSound(facts) && { AudioDescriptions: [sound({ track: audioTrack, channels: 2 })] }),
  })
  return [film, fileGroup(`s3://${mediaBucket}/${key.slice(0, key.lastIndexOf('/'))}/poster`, poster(size, facts))]
}

function streamGroups({ prefix, rungs, sounds }: StreamOutput, facts: VideoFacts, { publicBucket }: TranscodingPlace): OutputGroup[] {
  const encodable = rungs.filter(isEncodable)
  const [largest] = encodable
  if (!largest) throw refusal(rungs[0])
  const folder = `s3://${publicBucket}/${prefix}`
  const groups = hasSound(facts) ? soundGroups(sounds) : []
  const videos = encodable.map(({ name, maxBitsPerSecond, ...size }) => ({
    NameModifier: `_${name}`,
    ContainerSettings: {
      Container: 'CMFC' as const,
      CmfcSettings: groups.length > 0 ? { AudioRenditionSets: groups.map(({ id }) => id).join(',') } : {},
    },
    VideoDescription: video(size, maxBitsPerSecond, facts),
  }))
  const outputs: Output[] = [...videos, ...groups.flatMap(({ id, sounds }) => sounds.map((each) => audioOutput(id, each)))]
  return [hlsGroup(`${folder}${withoutExtension(LADDER)}`, outputs), fileGroup(`${folder}poster`, poster(largest, facts))]
}

/** @param destination prefix of its files' names; MediaConvert adds the rest */
function hlsGroup(destination: string, outputs: Output[]): OutputGroup {
  return {
    OutputGroupSettings: {
      Type: 'CMAF_GROUP_SETTINGS',
      CmafGroupSettings: {
        Destination: destination,
        WriteHlsManifest: 'ENABLED',
        WriteDashManifest: 'DISABLED',
        SegmentControl: 'SEGMENTED_FILES',
        SegmentLength: SEGMENT_SECONDS,
        // A video with 29.97 frames a second has no frame at exactly 6 s; an exact length would add a keyframe there.
        SegmentLengthControl: 'GOP_MULTIPLE',
        FragmentLength: KEYFRAME_SECONDS,
        ManifestDurationFormat: 'FLOATING_POINT',
        StreamInfResolution: 'INCLUDE',
        CodecSpecification: 'RFC_6381',
      },
    },
    Outputs: outputs,
  }
}

/** @param destination the file's name without extension, for captured frames also without number */
function fileGroup(destination: string, output: Output): OutputGroup {
  return {
    OutputGroupSettings: { Type: 'FILE_GROUP_SETTINGS', FileGroupSettings: { Destination: destination } },
    Outputs: [output],
  }
}

function withoutExtension(name: string): string {
  return name.slice(0, name.lastIndexOf('.'))
}

/** In CMAF an output has either video or sound, and belongs to one group. */
function audioOutput(group: SoundGroup['id'], { track, channels, part, name, language, isDefault, isAutomatic }: GroupedSound): Output {
  const chosen = isAutomatic ? 'ALTERNATE_AUDIO_AUTO_SELECT' : 'ALTERNATE_AUDIO_NOT_AUTO_SELECT'
  return {
    NameModifier: group === 'surround' && channels === 2 ? `_${part}_stereo` : `_${part}`,
    ContainerSettings: {
      Container: 'CMFC',
      CmfcSettings: { AudioGroupId: group, AudioTrackType: isDefault ? 'ALTERNATE_AUDIO_AUTO_SELECT_DEFAULT' : chosen },
    },
    AudioDescriptions: [
      {
        ...sound({ track, channels }),
        StreamName: streamName(name) || `Audio ${track + 1}`,
        ...(language !== null && { LanguageCodeControl: 'USE_CONFIGURED', CustomLanguageCode: language }),
      },
    ],
  }
}

/** MediaConvert only accepts ASCII letters, digits and spaces. */
const streamName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\w\s]/g, '')
    .trim()

/** A track of the video, mixed down to this number of channels. */
function sound({ track, channels }: Pick<Sound, 'track' | 'channels'>) {
  return {
    AudioSourceName: selector(track),
    CodecSettings: {
      Codec: 'AAC',
      AacSettings: {
        CodecProfile: 'LC',
        CodingMode: channels === 2 ? 'CODING_MODE_2_0' : 'CODING_MODE_5_1',
        RateControlMode: 'CBR',
        Bitrate: AUDIO_BITS_PER_SECOND[channels],
        SampleRate: 48_000,
      },
    },
  } satisfies AudioDescription
}

/** Captures the first frame, which is often black, and a frame at a tenth of the video, after 10 s at most. */
function poster({ width, height }: Size, facts: VideoFacts): Output {
  const later = Math.min(Math.max(Math.round((facts.seconds ?? 0) / 10), 1), 10)
  return {
    Extension: 'jpg',
    ContainerSettings: { Container: 'RAW' },
    VideoDescription: {
      ...picture({ width, height }, facts),
      CodecSettings: {
        Codec: 'FRAME_CAPTURE',
        FrameCaptureSettings: { FramerateNumerator: 1, FramerateDenominator: later, MaxCaptures: 2, Quality: 80 },
      },
    },
  }
}

function video(size: Size, maxBitsPerSecond: number, facts: VideoFacts): VideoDescription {
  return {
    ...picture(size, facts),
    CodecSettings: {
      Codec: 'H_264',
      H264Settings: {
        CodecProfile: 'HIGH',
        RateControlMode: 'QVBR',
        MaxBitrate: maxBitsPerSecond,
        QvbrSettings: { QvbrQualityLevel: 7 },
        QualityTuningLevel: 'SINGLE_PASS_HQ',
        GopSizeUnits: 'SECONDS',
        GopSize: KEYFRAME_SECONDS,
        GopClosedCadence: 1,
        // Keyframes at scene changes would differ between the sizes of a stream.
        SceneChangeDetect: 'DISABLED',
        InterlaceMode: 'PROGRESSIVE',
        ParControl: 'SPECIFIED',
        ParNumerator: 1,
        ParDenominator: 1,
        ...frameRate(facts),
      },
    },
  }
}

/** Settings common to videos and posters. */
function picture({ width, height }: Size, { isHdr }: VideoFacts): VideoDescription {
  return {
    Width: width,
    Height: height,
    // Sides rounded to even numbers may be a pixel off the source's aspect ratio; stretching avoids a black line.
    ScalingBehavior: 'STRETCH_TO_OUTPUT',
    VideoPreprocessors: {
      Deinterlacer: { Mode: 'ADAPTIVE', Algorithm: 'INTERPOLATE', Control: 'NORMAL' },
      // The brighter tone mapping, for PQ. MediaConvert always maps HLG the other way.
      ColorCorrector: { ColorSpaceConversion: 'FORCE_709', ...(isHdr && { HdrToSdrToneMapper: 'VIBRANT' }) },
    },
  }
}

/** Highest frame rate that is kept: 60, with a margin because averages may exceed it. */
const KEPT_FRAME_RATE = 61

/** Videos with a higher rate keep every second or third frame, and so on. */
function frameRate({ frameRate: rate }: VideoFacts): H264Settings {
  if (rate === null || rate <= KEPT_FRAME_RATE) return { FramerateControl: 'INITIALIZE_FROM_SOURCE' }
  const perSecond = rate / Math.ceil(rate / KEPT_FRAME_RATE)
  return {
    FramerateControl: 'SPECIFIED',
    FramerateNumerator: Math.round(perSecond * 1000),
    FramerateDenominator: 1000,
    FramerateConversionAlgorithm: 'DUPLICATE_DROP',
  }
}

/**
 * Whether MediaConvert encodes this size to H.264.
 * @see https://docs.aws.amazon.com/mediaconvert/latest/ug/reference-codecs-containers.html
 */
function isEncodable({ width, height }: Size): boolean {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  return shorter >= 32 && shorter <= 2160 && longer <= 4096
}

function refusal(size: Size | undefined): JobRefused {
  return new JobRefused(`MediaConvert encodes no video of ${size?.width} x ${size?.height} pixels`)
}
