/** When a segment of fMP4 plays, in seconds. */
export interface SegmentTime {
  start: number
  seconds: number
}

/**
 * Reads when a segment plays from its index (`sidx`, ISO/IEC 14496-12, 8.16.3): the muxer writes it by what it has really written. One index with
 * one entry, as ffmpeg writes it.
 */
export function segmentTime(segment: Buffer): SegmentTime {
  const index = segment.indexOf('sidx')
  if (index === -1) throw new Error('a segment has no index')
  const version = segment.readUInt8(index + 4)
  const timescale = segment.readUInt32BE(index + 12)
  const start = version === 0 ? segment.readUInt32BE(index + 16) : Number(segment.readBigUInt64BE(index + 16))
  // The first entry comes after the time, an offset of the same width, and the count.
  const entry = index + 16 + (version === 0 ? 8 : 16) + 4
  return { start: start / timescale, seconds: segment.readUInt32BE(entry + 4) / timescale }
}
