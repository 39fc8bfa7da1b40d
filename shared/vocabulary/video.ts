/** Facts of a video; null if unknown. */
export type VideoFacts = {
  seconds: number | null
  /** Frames a second, on average. */
  frameRate: number | null
  /** In lower case: `h264`, `hevc`, `vp9`, `av1`, `mpeg4`, … */
  videoCodec: string | null
  /** In lower case: `aac`, `mp3`, `opus`, `ac3`, … */
  audioCodec: string | null
  hasAudio: boolean | null
  /** The first `MOST_AUDIO_TRACKS` tracks of sound, in the file's order. Absent if unknown. */
  audioTracks?: AudioTrack[]
  /** Its colours are PQ or HLG. */
  isHdr: boolean
}

/** A track of sound as the video's container describes it. */
export type AudioTrack = {
  /** A canonical BCP 47 tag; null if unknown. */
  language: string | null
  /** The track's name in the film: `Commentary`. */
  name: string | null
  channels: number | null
  /** Whether players take it by default. */
  isDefault: boolean
}

/** Most tracks of sound that a stream has. */
export const MOST_AUDIO_TRACKS = 8

/** Sound of a stream: one track of the video, in stereo or in 5.1. */
export interface Sound {
  /** The part of its files' names, unique in the stream: `audio`, `audio_2`, `audio_surround`. */
  part: string
  /** Position of the track among those of the video, from 0. */
  track: number
  channels: 2 | 6
  /** The name that players show. Unique by track: stereo and 5.1 of one track share it. */
  name: string
  language: string | null
  /** Whether players take it by default: one track of a stream. */
  isDefault: boolean
}

/** One size of a stream, in pixels. Both sides are even. */
export interface Rung {
  /** The name by the shorter side: `720p`. */
  name: string
  width: number
  height: number
  /** Limit of the video's bit rate. */
  maxBitsPerSecond: number
}

/** The wanted preview: one mp4 in the bucket `media`. */
export interface PreviewOutput {
  kind: 'preview'
  /** Key of the object; ends in `/preview.mp4`. The poster is next to it. */
  key: string
  /** Pixels, even. */
  width: number
  height: number
  maxBitsPerSecond: number
  /** The track of sound that it gets, from 0. Absent where it is the first. */
  audioTrack?: number
}

/** The wanted stream: HLS in the bucket `public`. */
export interface StreamOutput {
  kind: 'stream'
  /** Key prefix of its objects; ends in `/`. */
  prefix: string
  /** Largest first. */
  rungs: readonly Rung[]
  /** One stereo sound of every track. The encoder leaves out sounds of tracks that it doesn't find. */
  sounds: readonly Sound[]
  /** Seconds for which the last frame is held, because a sound lasts longer. Absent if none does. */
  stillSeconds?: number
}

/** A video in the bucket `media`. */
export interface VideoSource {
  key: string
  /** MIME type by the file's bytes. It decides which demuxer reads the file, whatever the file claims to be. */
  mime: string
  /** Pixels as shown: turned upright, with square pixels. */
  width: number
  height: number
  facts: VideoFacts
}

/** Length of a stream's segments, and distance of its keyframes, in seconds. */
export const SEGMENT_SECONDS = 6
export const KEYFRAME_SECONDS = 2

/** Bits a second of sound in previews and streams, by number of channels. */
export const AUDIO_BITS_PER_SECOND = { 2: 128_000, 6: 384_000 } as const

/** The sound of a stream whose tracks are unknown, but which may have sound. */
export const ONLY_SOUND: Sound = { part: 'audio', track: 0, channels: 2, name: 'audio', language: null, isDefault: true }

/** Files of a stream, below its prefix: the encoder's playlist, the playlist for viewers, the poster. */
export const LADDER = 'ladder.m3u8'
export const PLAYLIST = 'index.m3u8'
export const POSTER = 'poster.jpg'
