import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { APP1, type Segment, START_OF_IMAGE, segmentOf, withSegments } from './jpeg-segments.ts'
import type { PictureLabels } from './picture-labels.ts'
import { pictureXmp } from './picture-xmp.ts'

/**
 * The same picture with these labels as its only EXIF and XMP, which replace those that it has. Pixels, and all else, stay as they are. The same labels
 * give the same bytes.
 * @param picture a JPEG or PNG that this service has made
 * @returns undefined for other bytes
 */
export function labelPicture(picture: Buffer, labels: PictureLabels): Buffer | undefined {
  if (picture.subarray(0, 2).equals(START_OF_IMAGE)) return labelJpeg(picture, labels)
  return picture.subarray(0, 8).equals(PNG_SIGNATURE) ? labelPng(picture, labels) : undefined
}

/** A picture's file, which has no labels, with these. @returns undefined where there are none to write: then nothing is read */
export async function labelledFile(path: string, labels: PictureLabels): Promise<Buffer | undefined> {
  return labels.copyright || labels.digitalSourceType ? labelPicture(await readFile(path), labels) : undefined
}

/** The header of EXIF, and a directory of one entry, a copyright: without its length, its offset, and that of a further directory. */
const EXIF_BEGINNING = Buffer.from('4d4d002a00000008000182980002', 'hex')
const [EXIF_LENGTH, EXIF_OFFSET, EXIF_END] = [14, 18, 26]

/** EXIF that holds a copyright alone, in UTF-8 as most programs write it. @returns undefined for a text without characters */
function exifOf({ copyright }: PictureLabels): Buffer | undefined {
  const text = Buffer.from((copyright ?? '').replaceAll('\0', '').toWellFormed())
  if (text.length === 0) return undefined
  const exif = Buffer.alloc(EXIF_END + text.length + 1)
  EXIF_BEGINNING.copy(exif)
  exif.writeUInt32BE(text.length + 1, EXIF_LENGTH)
  // Values of up to four bytes are in the entry itself.
  const isShort = text.length < 4
  if (!isShort) exif.writeUInt32BE(EXIF_END, EXIF_OFFSET)
  text.copy(exif, isShort ? EXIF_OFFSET : EXIF_END)
  return isShort ? exif.subarray(0, EXIF_END) : exif
}

const EXIF_SEGMENT = Buffer.from('Exif\0\0')
const XMP_SEGMENT = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
/** Length of a segment's data, without the two bytes that say it. */
const MAX_SEGMENT = 0xffff - 2

function labelJpeg(picture: Buffer, labels: PictureLabels): Buffer | undefined {
  const [exif, xmp] = [exifOf(labels), pictureXmp(labels)]
  const added = [...label(EXIF_SEGMENT, exif), ...label(XMP_SEGMENT, xmp === undefined ? undefined : Buffer.from(xmp))]
  return withSegments(picture, (segment) => !isLabel(segment), added)
}

const isLabel = ({ marker, data }: Segment): boolean =>
  marker === APP1 && [EXIF_SEGMENT, XMP_SEGMENT].some((name) => data.subarray(0, name.length).equals(name))

function label(name: Buffer, content: Buffer | undefined): Buffer[] {
  return content && name.length + content.length <= MAX_SEGMENT ? [segmentOf(APP1, Buffer.concat([name, content]))] : []
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The name of XMP's text; neither compressed, nor in a language. */
const XMP_TEXT = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0')
const XMP_NAME = XMP_TEXT.subarray(0, -4)

function labelPng(picture: Buffer, labels: PictureLabels): Buffer | undefined {
  const kept: Buffer[] = []
  for (let at = PNG_SIGNATURE.length; at < picture.length; ) {
    if (at + 12 > picture.length) return undefined
    const end = at + 12 + picture.readUInt32BE(at)
    if (end > picture.length) return undefined
    const type = picture.toString('latin1', at + 4, at + 8)
    const isXmp = type === 'iTXt' && picture.subarray(at + 8, at + 8 + XMP_NAME.length).equals(XMP_NAME)
    if (type !== 'eXIf' && !isXmp) kept.push(picture.subarray(at, end))
    at = end
  }
  const [exif, xmp] = [exifOf(labels), pictureXmp(labels)]
  const added = [
    ...(exif ? [chunk('eXIf', exif)] : []),
    ...(xmp === undefined ? [] : [chunk('iTXt', Buffer.concat([XMP_TEXT, Buffer.from(xmp)]))]),
  ]
  // The header comes first.
  return Buffer.concat([PNG_SIGNATURE, ...kept.slice(0, 1), ...added, ...kept.slice(1)])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
