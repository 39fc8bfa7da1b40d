/** The facts of a video; null where they aren't known. */
export type VideoFacts = {
  seconds: number | null
  /** Frames a second, on average. */
  frameRate: number | null
  /** In lower case: `h264`, `hevc`, `vp9`, `av1`, `mpeg4`, … */
  videoCodec: string | null
  /** In lower case: `aac`, `mp3`, `opus`, `ac3`, … */
  audioCodec: string | null
  hasAudio: boolean | null
  /** Tracks of sound in the file's order, the first eight. Absent where nobody knows them. */
  audioTracks?: AudioTrack[]
  /** Its colours are PQ or HLG. */
  isHdr: boolean
}

/** A track of sound, as the video's container tells of it. */
export type AudioTrack = {
  /** A canonical BCP 47 tag; null where it isn't known. */
  language: string | null
  /** The track's name in the film: `Commentary`. */
  name: string | null
  channels: number | null
  /** Players take it where nobody chooses. */
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
  /** The name that players show. Sounds of one track have the same, those of others another one. */
  name: string
  language: string | null
  /** Players take it where nobody chooses: one track of a stream. */
  isDefault: boolean
}

/** One size of a stream, in pixels. Both sides are even. */
export interface Rung {
  /** The name by the shorter side: `720p`. */
  name: string
  width: number
  height: number
  /** The limit of its video. */
  maxBitsPerSecond: number
}

/** The wanted preview: one mp4 in the bucket `media`. */
export interface PreviewOutput {
  kind: 'preview'
  /** Its object, which ends in `/preview.mp4`. Its pictures lie beside it. */
  key: string
  /** Pixels, even. */
  width: number
  height: number
  maxBitsPerSecond: number
  /** The track of sound that it gets, from 0. Absent in jobs of earlier versions, and where it is the first. */
  audioTrack?: number
}

/** The wanted stream: HLS in the bucket `public`. */
export interface StreamOutput {
  kind: 'stream'
  /** Its objects begin with it; ends in `/`. */
  prefix: string
  /** Largest first. */
  rungs: readonly Rung[]
  /** One stereo sound of every track. Absent in jobs of earlier versions. Those of tracks that the encoder doesn't find are left out. */
  sounds?: readonly Sound[]
  /** Seconds for which a picture follows the last one, because a sound goes on. Absent where none does. */
  stillSeconds?: number
}

/** A video in the bucket `media`. */
export interface VideoSource {
  key: string
  /** The type by its bytes. It chooses how the file is read: nothing else that a file says of itself is believed. */
  mime: string
  /** Pixels as it is shown: turned upright, with square pixels. */
  width: number
  height: number
  facts: VideoFacts
}

/** Seconds of a stream's segments, and between the frames at which a player can begin. */
export const SEGMENT_SECONDS = 6
export const KEYFRAME_SECONDS = 2

/** Bits a second of the sound in previews and streams, by its channels. */
export const AUDIO_BITS_PER_SECOND = { 2: 128_000, 6: 384_000 } as const

/** The sound of a stream of which nothing is known but that there may be some. */
export const ONLY_SOUND: Sound = { part: 'audio', track: 0, channels: 2, name: 'audio', language: null, isDefault: true }

/** Files of a stream, below its prefix: the playlist as its encoder wrote it, the one that viewers get, its picture before it plays. */
export const LADDER = 'ladder.m3u8'
export const PLAYLIST = 'index.m3u8'
export const POSTER = 'poster.jpg'
