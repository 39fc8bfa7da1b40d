/** Start and duration of an fMP4 segment, in seconds. */
export interface SegmentTime {
  start: number
  seconds: number
}

/**
 * Reads a segment's time from its index (`sidx`, ISO/IEC 14496-12, 8.16.3), where the muxer writes the real times. Supports one index with
 * one entry, as written by ffmpeg.
 */
export function segmentTime(segment: Buffer): SegmentTime {
  const index = segment.indexOf('sidx')
  if (index === -1) throw new Error('a segment has no index')
  const version = segment.readUInt8(index + 4)
  const timescale = segment.readUInt32BE(index + 12)
  const start = version === 0 ? segment.readUInt32BE(index + 16) : Number(segment.readBigUInt64BE(index + 16))
  // The first entry follows the time, an offset of the same width, and the count.
  const entry = index + 16 + (version === 0 ? 8 : 16) + 4
  return { start: start / timescale, seconds: segment.readUInt32BE(entry + 4) / timescale }
}
