/** A segment of a JPEG before its pixels. */
export interface Segment {
  marker: number
  /** Without the two bytes that say its length. */
  data: Buffer
  /** Where the data begins in the file. */
  at: number
}

export const [APP1, APP2, APP14, COMMENT] = [0xe1, 0xe2, 0xee, 0xfe]
const START_OF_SCAN = 0xda
export const START_OF_IMAGE = Buffer.from([0xff, 0xd8])

/** Whether programs may leave a segment out: it says nothing of how pixels are decoded. */
export const isExtra = ({ marker }: Segment): boolean => (marker >= 0xe0 && marker <= 0xef && marker !== APP14) || marker === COMMENT

/**
 * The segments at the beginning of a JPEG.
 * @returns them, and where the pixels begin; undefined where the bytes are none, or end before
 */
export function headOf(jpeg: Buffer): { segments: Segment[]; scan: number } | undefined {
  if (!jpeg.subarray(0, 2).equals(START_OF_IMAGE)) return undefined
  const segments: Segment[] = []
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const marker = jpeg[at + 1]!
    if (jpeg[at] !== 0xff || marker < 0xc0) return undefined
    if (marker === START_OF_SCAN) return { segments, scan: at }
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (end < at + 4 || end > jpeg.length) return undefined
    segments.push({ marker, data: jpeg.subarray(at + 4, end), at: at + 4 })
    at = end
  }
  return undefined
}

/** @throws RangeError where the data is longer than a segment */
export function segmentOf(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/**
 * A JPEG with other segments of its kind.
 * @param isKept of those that say nothing of the pixels
 * @param added after those that are kept
 */
export function withSegments(jpeg: Buffer, isKept: (segment: Segment) => boolean, added: readonly Buffer[]): Buffer | undefined {
  const head = headOf(jpeg)
  if (!head) return undefined
  const write = ({ marker, data }: Segment) => segmentOf(marker, data)
  const [extra, needed] = [head.segments.filter((each) => isExtra(each) && isKept(each)), head.segments.filter((each) => !isExtra(each))]
  return Buffer.concat([START_OF_IMAGE, ...extra.map(write), ...added, ...needed.map(write), jpeg.subarray(head.scan)])
}
