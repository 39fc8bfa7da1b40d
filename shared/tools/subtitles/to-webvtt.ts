import { UnusableSubtitles } from './cue.ts'
import { linesOf } from './lines.ts'
import { parseSubRip } from './subrip.ts'
import { isWebVtt, parseWebVtt, writeWebVtt } from './webvtt.ts'

/** Most bytes of subtitles, as sent and as WebVTT, and most cues. A long film has about 2,000. */
export const subtitleLimits = { bytes: 1024 * 1024, cues: 10_000 } as const

export const subtitleTypes = ['text/vtt', 'application/x-subrip'] as const

/**
 * Checks subtitles and converts them to plain WebVTT: without styles, regions and comments, and only with tags of cue text. A file that
 * begins like WebVTT counts as WebVTT, whatever its type.
 *
 * No library fits: the maintained ones only write WebVTT or parse leniently, and none tells which line is wrong.
 * @param mediaType the sender's type; if that is none of `subtitleTypes`, the bytes decide
 * @throws UnusableSubtitles whose message names the line
 */
export function toWebVtt(bytes: Uint8Array, mediaType: string): string {
  const lines = linesOf(bytes)
  const cues = mediaType === 'text/vtt' || isWebVtt(lines) ? parseWebVtt(lines) : parseSubRip(lines)
  const shown = cues.filter(({ text }) => text.length > 0)
  if (shown.length === 0) throw new UnusableSubtitles('The subtitles must have at least one cue with a text.')
  if (shown.length > subtitleLimits.cues) throw new UnusableSubtitles(`The subtitles must have at most ${subtitleLimits.cues} cues.`)
  const webVtt = writeWebVtt(shown)
  if (Buffer.byteLength(webVtt) > subtitleLimits.bytes)
    throw new UnusableSubtitles(`The subtitles must be at most ${subtitleLimits.bytes} bytes as WebVTT.`)
  return webVtt
}
