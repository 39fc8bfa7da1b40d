import { crc32 } from 'node:zlib'
import type { Exif } from 'sharp'

/** Longest copyright that is written, in bytes: a JPEG has 64 KB for all of EXIF. */
const MAX_BYTES = 4_000

/** A copyright as the only EXIF that a picture gets. libvips writes ASCII alone, so its place is held first, then filled in UTF-8, as most programs do. */
export interface ExifCopyright {
  /** The EXIF with which the picture is encoded. */
  exif: Exif
  /** Puts the real text in its place. @param encoded in any format that has EXIF */
  fillIn(encoded: Buffer): Buffer
}

/** @returns undefined for a text without characters */
export function exifCopyright(text: string): ExifCopyright | undefined {
  const bytes = Buffer.from(text.replaceAll('\0', '').toWellFormed())
  const written = bytes.length <= MAX_BYTES ? bytes : bytes.subarray(0, lastWhole(bytes, MAX_BYTES))
  if (written.length === 0) return undefined
  return { exif: { IFD0: { Copyright: 'x'.repeat(written.length) } }, fillIn: (encoded) => fillIn(encoded, written) }
}

/** The offset at which the character of a place begins. */
function lastWhole(bytes: Buffer, at: number): number {
  let start = at
  while ((bytes[start]! & 0xc0) === 0x80) start--
  return start
}

/** The start of EXIF as libvips writes it, in the byte order of the original's EXIF where that has one. The directory follows at once. */
const tiffHeaders = { little: Buffer.from('49492a0008000000', 'hex'), big: Buffer.from('4d4d002a00000008', 'hex') }
const TIFF_HEADER_BYTES = 8
const COPYRIGHT = 0x8298

/** @throws Error when the copyright isn't where it was written, which no picture can bring about */
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

/** @returns where the text of so many bytes stands; undefined where the directory has none */
function placeOf(encoded: Buffer, { exif, isLittle, bytes }: { exif: number; isLittle: boolean; bytes: number }): number | undefined {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const first = exif + TIFF_HEADER_BYTES + 2
  const entries = view.getUint16(first - 2, isLittle)
  for (let entry = first; entry < first + entries * 12; entry += 12) {
    if (view.getUint16(entry, isLittle) !== COPYRIGHT || view.getUint32(entry + 4, isLittle) !== bytes + 1) continue
    // Up to four bytes stand in the entry itself.
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
