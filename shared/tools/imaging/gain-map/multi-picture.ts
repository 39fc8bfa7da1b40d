import { APP2, headOf, type Segment, segmentOf, withSegments } from '../jpeg-segments.ts'

/**
 * JPEG files of several pictures (CIPA DC-007, Multi-Picture Format): a segment of the first one says where the others begin, in bytes from that
 * segment's own TIFF header.
 */
const NAME = Buffer.from('MPF\0')
const [COUNT_TAG, ENTRIES_TAG] = [0xb001, 0xb002]
const ENTRY_BYTES = 16
/** Most pictures that are looked at. */
const MAX_PICTURES = 8

/** Where another picture is in the file, in bytes. */
export interface PicturePlace {
  start: number
  length: number
}

/** The pictures behind the first one. @param segments of that */
export function furtherPictures(segments: readonly Segment[]): PicturePlace[] {
  const index = segments.find(({ marker, data }) => marker === APP2 && data.subarray(0, NAME.length).equals(NAME))
  if (!index) return []
  try {
    return placesIn(index.data.subarray(NAME.length), index.at + NAME.length)
  } catch (error) {
    // An offset leads out of the segment.
    if (error instanceof RangeError) return []
    throw error
  }
}

function placesIn(tiff: Buffer, at: number): PicturePlace[] {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const directory = view.getUint32(4, isLittle)
  for (let entry = directory + 2, left = view.getUint16(directory, isLittle); left > 0; entry += 12, left--) {
    if (view.getUint16(entry, isLittle) !== ENTRIES_TAG) continue
    const pictures = Math.min(Math.floor(view.getUint32(entry + 4, isLittle) / ENTRY_BYTES), MAX_PICTURES)
    const entries = view.getUint32(entry + 8, isLittle)
    return Array.from({ length: Math.max(0, pictures - 1) }, (_, n) => {
      const place = entries + (n + 1) * ENTRY_BYTES
      return { start: at + view.getUint32(place + 8, isLittle), length: view.getUint32(place + 4, isLittle) }
    })
  }
  return []
}

/** Length of the segment: its name, the TIFF header, a directory of three entries, and two pictures. */
const INDEX_BYTES = NAME.length + 8 + 2 + 3 * 12 + 4 + 2 * ENTRY_BYTES

/**
 * Joins a JPEG and a second one that belongs to it.
 * @param segments that the first one gets besides its own
 */
export function joinPictures(first: Buffer, second: Buffer, segments: readonly Buffer[]): Buffer {
  const indexed = withSegments(first, () => true, [
    ...segments,
    segmentOf(APP2, Buffer.concat([NAME, Buffer.alloc(INDEX_BYTES - NAME.length)])),
  ])
  const index =
    indexed && headOf(indexed)?.segments.find(({ data }) => data.length === INDEX_BYTES && data.subarray(0, NAME.length).equals(NAME))
  if (!indexed || !index) throw new Error('libvips has written no JPEG')
  const tiff = index.at + NAME.length
  const numbers = index.data.subarray(NAME.length)
  numbers.write('MM\0*', 'latin1')
  numbers.writeUInt32BE(8, 4)
  numbers.writeUInt16BE(3, 8)
  const [VERSION_TAG, UNDEFINED, LONG] = [0xb000, 7, 4]
  const entriesAt = 8 + 2 + 3 * 12 + 4
  const entries = [
    [VERSION_TAG, UNDEFINED, 4, Buffer.from('0100').readUInt32BE()],
    [COUNT_TAG, LONG, 1, 2],
    [ENTRIES_TAG, UNDEFINED, 2 * ENTRY_BYTES, entriesAt],
  ] as const
  for (const [n, [tag, type, count, value]] of entries.entries()) {
    numbers.writeUInt16BE(tag, 10 + n * 12)
    numbers.writeUInt16BE(type, 12 + n * 12)
    numbers.writeUInt32BE(count, 14 + n * 12)
    numbers.writeUInt32BE(value, 18 + n * 12)
  }
  const PRIMARY = 0x030000
  numbers.writeUInt32BE(PRIMARY, entriesAt)
  numbers.writeUInt32BE(indexed.length, entriesAt + 4)
  numbers.writeUInt32BE(second.length, entriesAt + ENTRY_BYTES + 4)
  numbers.writeUInt32BE(indexed.length - tiff, entriesAt + ENTRY_BYTES + 8)
  return Buffer.concat([indexed, second])
}
