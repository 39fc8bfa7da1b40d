import { ToolFailed } from '../../failure.ts'
import type { BinaryFile } from './binary-file.ts'
import type { Piece } from './pieces.ts'

const [START_OF_SCAN, END_OF_IMAGE, APP1, APP2, APP12, APP13, COMMENT] = [0xda, 0xd9, 0xe1, 0xe2, 0xec, 0xed, 0xfe]

/** Beginnings of segments with an XMP packet, and of those that continue large packets. */
export const XMP_BEGINNING = 'http://ns.adobe.com/xap/1.0/\0'
const XMP_EXTENSION = 'http://ns.adobe.com/xmp/extension/\0'

/** The beginnings of metadata segments, by marker. */
const METADATA: Readonly<Record<number, readonly string[]>> = {
  [APP1]: ['Exif\0\0', XMP_BEGINNING, XMP_EXTENSION],
  [APP12]: ['Ducky'],
  [APP13]: ['Photoshop 3.0\0'],
  [COMMENT]: [''],
}
const LONGEST_BEGINNING = 40

/** The part of a JPEG before its first scan. */
export interface JpegHead {
  /** All segments except metadata and lists of pictures. */
  segments: Piece[]
  /** Segments of XMP, with their markers: packets and their extensions. */
  xmp: { start: number; end: number }[]
  /** TIFF structures that list pictures (Multi-Picture Format). */
  pictureLists: { start: number; end: number }[]
  /** Offset of the first scan. */
  scan: number
}

/** @throws ToolFailed if it doesn't consist of segments */
export async function readJpegHead(file: BinaryFile): Promise<JpegHead> {
  const segments: Piece[] = []
  const xmp: JpegHead['xmp'] = []
  const pictureLists: JpegHead['pictureLists'] = []
  for (let at = 2; ; ) {
    const { marker, start, end } = await segment(file, at)
    if (marker === START_OF_SCAN) return { segments, xmp, pictureLists, scan: at }
    const beginning = (await file.bytes(start + 4, Math.min(LONGEST_BEGINNING, end - start - 4))).toString('latin1')
    if (marker === APP1 && [XMP_BEGINNING, XMP_EXTENSION].some((text) => beginning.startsWith(text))) xmp.push({ start, end })
    if (marker === APP2 && beginning.startsWith('MPF\0')) pictureLists.push({ start: start + 8, end })
    else if (!METADATA[marker]?.some((text) => beginning.startsWith(text)))
      segments.push({ name: `segment ${marker.toString(16)}`, start, end })
    at = end
  }
}

/** @throws ToolFailed if there is no segment with a length at that offset */
async function segment(file: BinaryFile, at: number): Promise<{ marker: number; start: number; end: number }> {
  let start = at
  // Any number of fill bytes may come before a marker.
  while ((await file.bytes(start, 2)).readUInt16BE() === 0xffff) start++
  const head = await file.bytes(start, 4)
  const marker = head[1]!
  const length = head.readUInt16BE(2)
  if (head[0] !== 0xff || marker < 0xc0 || (marker >= 0xd0 && marker <= END_OF_IMAGE) || length < 2) {
    throw new ToolFailed(`there is no segment of a JPEG at byte ${start}`)
  }
  return { marker, start, end: start + 2 + length }
}
