import { crc32 } from 'node:zlib'
import type { Exif } from 'sharp'

/** Longest copyright to write, in bytes. A JPEG has 64 KB for all of EXIF. */
const MAX_BYTES = 4_000

/**
 * A copyright as the only EXIF of a picture. libvips only writes ASCII, so a placeholder is written first and then replaced with UTF-8, as
 * most programs use.
 */
export interface ExifCopyright {
  /** The EXIF to encode the picture with. */
  exif: Exif
  /** Replaces the placeholder with the text. @param encoded picture in any format with EXIF */
  fillIn(encoded: Buffer): Buffer
}

/** @returns undefined for a text without characters */
export function exifCopyright(text: string): ExifCopyright | undefined {
  const bytes = Buffer.from(text.replaceAll('\0', '').toWellFormed())
  const written = bytes.length <= MAX_BYTES ? bytes : bytes.subarray(0, lastWhole(bytes, MAX_BYTES))
  if (written.length === 0) return undefined
  return { exif: { IFD0: { Copyright: 'x'.repeat(written.length) } }, fillIn: (encoded) => fillIn(encoded, written) }
}

/** The offset at which the character at a position begins. */
function lastWhole(bytes: Buffer, at: number): number {
  let start = at
  while ((bytes[start]! & 0xc0) === 0x80) start--
  return start
}

/** The start of EXIF as written by libvips, in the byte order of the original's EXIF if that has one. The directory follows directly. */
const tiffHeaders = { little: Buffer.from('49492a0008000000', 'hex'), big: Buffer.from('4d4d002a00000008', 'hex') }
const TIFF_HEADER_BYTES = 8
const COPYRIGHT = 0x8298

/** @throws Error if the placeholder is missing, which no picture can cause */
function fillIn(encoded: Buffer, text: Buffer): Buffer {
  for (const [order, header] of Object.entries(tiffHeaders)) {
    const exif = encoded.indexOf(header)
    const at = exif < 0 ? undefined : placeOf(encoded, { exif, isLittle: order === 'little', bytes: text.length })
    if (at === undefined) continue
    text.copy(encoded, at)
    return withChecksum(encoded, exif)
  }
  throw new Error('the copyright was not written')
}

/** @returns the offset of a text with this many bytes; undefined if the directory has none */
function placeOf(encoded: Buffer, { exif, isLittle, bytes }: { exif: number; isLittle: boolean; bytes: number }): number | undefined {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const first = exif + TIFF_HEADER_BYTES + 2
  const entries = view.getUint16(first - 2, isLittle)
  for (let entry = first; entry < first + entries * 12; entry += 12) {
    if (view.getUint16(entry, isLittle) !== COPYRIGHT || view.getUint32(entry + 4, isLittle) !== bytes + 1) continue
    // Values of up to four bytes are in the entry itself.
    return bytes < 4 ? entry + 8 : exif + view.getUint32(entry + 8, isLittle)
  }
  return undefined
}

/** Corrects the checksum of a PNG's chunk. @param data where its data begins */
function withChecksum(encoded: Buffer, data: number): Buffer {
  const type = data - 4
  if (encoded.toString('latin1', type, data) !== 'eXIf') return encoded
  const end = data + encoded.readUInt32BE(type - 4)
  encoded.writeUInt32BE(crc32(encoded.subarray(type, end)), end)
  return encoded
}
