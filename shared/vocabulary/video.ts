/** What is known of a video; null where it isn't. */
export type VideoFacts = {
  seconds: number | null
  /** Frames a second, on average. */
  frameRate: number | null
  /** In lower case: `h264`, `hevc`, `vp9`, `av1`, `mpeg4`, … */
  videoCodec: string | null
  /** In lower case: `aac`, `mp3`, `opus`, `ac3`, … */
  audioCodec: string | null
  hasAudio: boolean | null
  /** Its colours are PQ or HLG. */
  isHdr: boolean
}

/** One size of a stream, in pixels. Both sides are even. */
export interface Rung {
  /** By the shorter side: `720p`. */
  name: string
  width: number
  height: number
  /** Of its video. */
  maxBitsPerSecond: number
}

/** What a preview is to be: one mp4 in the bucket `media`. */
export interface PreviewOutput {
  kind: 'preview'
  /** Its object, which ends in `/preview.mp4`. Its pictures lie beside it. */
  key: string
  /** Pixels, even. */
  width: number
  height: number
  maxBitsPerSecond: number
}

/** What a stream is to be: HLS in the bucket `public`. */
export interface StreamOutput {
  kind: 'stream'
  /** Its objects begin with it; ends in `/`. */
  prefix: string
  /** Largest first. */
  rungs: readonly Rung[]
}

/** A video in the bucket `media`. */
export interface VideoSource {
  key: string
  /** As its bytes tell. It chooses how the file is read: what else a file says of itself isn't believed. */
  mime: string
  /** Pixels as it is shown: turned upright, with square pixels. */
  width: number
  height: number
  facts: VideoFacts
}

/** Seconds of a stream's segments, and between the frames at which a player can begin. */
export const SEGMENT_SECONDS = 6
export const KEYFRAME_SECONDS = 2

/** Bits a second of the sound, in previews and streams. */
export const AUDIO_BITS_PER_SECOND = 128_000

/** Files of a stream, below its prefix: the playlist as its encoder wrote it, the one that viewers get, its picture before it plays. */
export const LADDER = 'ladder.m3u8'
export const PLAYLIST = 'index.m3u8'
export const POSTER = 'poster.jpg'
