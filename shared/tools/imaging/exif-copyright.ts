import { crc32 } from 'node:zlib'
import type { Exif } from 'sharp'

/** Longest copyright that is written, in bytes: a JPEG has 64 KB for all of EXIF. */
const MAX_BYTES = 4_000

/** A copyright as the only EXIF that a picture gets. libvips writes ASCII alone, so its place is held first, then filled in UTF-8, as most programs do. */
export interface ExifCopyright {
  /** What the picture is encoded with. */
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

/** Where the character that stands at a place begins. */
function lastWhole(bytes: Buffer, at: number): number {
  let start = at
  while ((bytes[start]! & 0xc0) === 0x80) start--
  return start
}

/** The start of EXIF as libvips writes it: little-endian, the directory follows at once. */
const TIFF_HEADER = Buffer.from('49492a0008000000', 'hex')
const COPYRIGHT = 0x8298

/** @throws Error when the copyright isn't where it was written, which no picture can bring about */
function fillIn(encoded: Buffer, text: Buffer): Buffer {
  const exif = encoded.indexOf(TIFF_HEADER)
  const first = exif + TIFF_HEADER.length + 2
  const entries = exif < 0 ? 0 : encoded.readUInt16LE(first - 2)
  for (let entry = first; entry < first + entries * 12; entry += 12) {
    if (encoded.readUInt16LE(entry) !== COPYRIGHT || encoded.readUInt32LE(entry + 4) !== text.length + 1) continue
    // Up to four bytes stand in the entry itself.
    text.copy(encoded, text.length < 4 ? entry + 8 : exif + encoded.readUInt32LE(entry + 8))
    return withChecksum(encoded, exif)
  }
  throw new Error('the copyright was not written')
}

/** Corrects the checksum of a PNG's chunk. @param data where its data begins */
function withChecksum(encoded: Buffer, data: number): Buffer {
  const type = data - 4
  if (encoded.toString('latin1', type, data) !== 'eXIf') return encoded
  const end = data + encoded.readUInt32BE(type - 4)
  encoded.writeUInt32BE(crc32(encoded.subarray(type, end)), end)
  return encoded
}
