/** IPTC as bytes (IPTC-IIM 4.2), in the places where files have it, and in any character set: ExifTool writes only what it declares. */
import { u16, u32 } from './bytes.ts'
import { images } from './images.ts'
import { segment, withSegments } from './odd-jpegs.ts'

const APP13 = 0xed
/** Declares UTF-8 (1:90). */
export const inUtf8 = dataset(90, '\x1b%G', 1)

/** @param value text in UTF-8, or bytes @param record 2 holds the texts */
export function dataset(number: number, value: string | Buffer, record = 2): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([0x1c, record, number]), u16(bytes.length), bytes])
}

/** Photoshop's resources with IPTC. */
function photoshopResources(iptc: Buffer): Buffer {
  return Buffer.concat([Buffer.from('8BIM\x04\x04\0\0', 'latin1'), u32(iptc.length), iptc, Buffer.alloc(iptc.length % 2)])
}

/** Photoshop's segment of a JPEG with IPTC. */
function photoshopSegment(iptc: Buffer): Buffer {
  return segment(APP13, Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), photoshopResources(iptc)]))
}

/** A JPEG with a segment for each record of IPTC. */
export async function jpegWithIptc(...records: Buffer[]): Promise<Buffer> {
  return withSegments(records.map(photoshopSegment), await images['plain.jpg']())
}

/** A grey TIFF of 8 by 8 pixels, with IPTC in its own tag, in Photoshop's resources, or in both. */
export function tiffWithIptc({ own, photoshop }: { own?: Buffer; photoshop?: Buffer }): Buffer {
  const values = [Buffer.alloc(64, 128), own, photoshop && photoshopResources(photoshop)].map((bytes) => padded(bytes ?? Buffer.alloc(0)))
  const [pixels, iptc, resources] = values.map((_, at) => 8 + Buffer.concat(values.slice(0, at)).length)
  const entry = (tag: number, type: number, count: number, value: number) =>
    Buffer.concat([u16(tag), u16(type), u32(count), type === 3 ? Buffer.concat([u16(value), u16(0)]) : u32(value)])
  const entries = [
    ...[entry(256, 3, 1, 8), entry(257, 3, 1, 8), entry(258, 3, 1, 8), entry(259, 3, 1, 1), entry(262, 3, 1, 1)],
    ...[entry(273, 4, 1, pixels!), entry(277, 3, 1, 1), entry(278, 3, 1, 8), entry(279, 4, 1, 64)],
    ...(own ? [entry(33_723, 7, own.length, iptc!)] : []),
    ...(photoshop ? [entry(34_377, 1, photoshopResources(photoshop).length, resources!)] : []),
  ]
  const start = 8 + Buffer.concat(values).length
  return Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(start), ...values, u16(entries.length), ...entries, u32(0)])
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
