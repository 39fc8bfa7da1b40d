/** Segments of a media playlist that are stored in parallel. */
export const PARALLELISM = 16

/** When a segment plays, in seconds. */
export interface Segment {
  start: number
  /** As its playlist writes it. */
  seconds: string
}

/** The segments of a media playlist (RFC 8216, 4.3.3). */
export function segmentsOf(playlist: string): Segment[] {
  let start = 0
  return Array.from(playlist.matchAll(/^#EXTINF:([\d.]+)/gm), ([, seconds = '0']) => {
    const segment = { start, seconds }
    start += Number(seconds)
    return segment
  })
}

/** How long a media playlist plays. */
export const secondsOf = (playlist: string): number => segmentsOf(playlist).reduce((sum, { seconds }) => sum + Number(seconds), 0)

/** Name of the media playlist of the pictures in the first of their sizes, which all are of one length; empty where a ladder has none. */
export const picturesOf = (ladder: string): string => /^[^#\s].*$/m.exec(ladder)?.[0].trim() ?? ''
