/** Files that declare large pictures and contain nearly none of their pixels. */
import { tiffHeader } from '../../../shared/tools/imaging/tiff.ts'
import { bmp } from './bitmap.ts'
import { withFrame } from './hostile.ts'
import { images } from './images.ts'
import { psds } from './photoshop.ts'
import { dng } from './raw-photo.ts'

export const declarations = {
  /** 54 bytes: 768 MB of pixels. */
  'huge.bmp': async () => bitmap(16_000, 16_000),
  /** Its pixels would be small enough, but they are missing. */
  'hollow.bmp': async () => bitmap(10_000, 10_000),
  'hollow.psd': async () => photoshop('rgb-raw.psd', 10_000, 10_000),
  'huge.psd': async () => photoshop('rgb-16.psd', 16_000, 16_000),
  /** All rows exist, but they are too short for their pixels. */
  'thin.psd': async () => photoshop('rgb.psd', 250_000, 48),
  'hollow.tif': async () => {
    const layout = { width: 10_000, height: 10_000, bits: 8, colour: 'rgb', samples: 3, compression: 'none', planar: false } as const
    return tiffHeader({ ...layout, stripBytes: new Float64Array(10_000).fill(30_000) })
  },
  'hollow.jpg': async () => withFrame(await images['plain.jpg'](), 16_000, 16_000),
  'hollow-small.jpg': async () => withFrame(await images['plain.jpg'](), 6_000, 6_000),
  /** A raw photo whose preview is one of these. */
  'hollow.dng': async () => dng(withFrame(await images['plain.jpg'](), 16_000, 16_000), 1),
  'huge.avif': async () => withExtents(await images['plain.avif'](), 60_000),
} satisfies { [name: string]: () => Promise<Buffer> }

function bitmap(width: number, height: number): Buffer {
  const header = bmp(24).subarray(0, 54)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  return header
}

function photoshop(name: keyof typeof psds, width: number, height: number): Buffer {
  const file = psds[name]()
  file.writeUInt32BE(height, 14)
  file.writeUInt32BE(width, 18)
  return file
}

/** Changes the dimensions that a HEIF file's properties give. */
export function withExtents(heif: Buffer, side: number): Buffer {
  const changed = Buffer.from(heif)
  for (let at = changed.indexOf('ispe'); at >= 0; at = changed.indexOf('ispe', at + 4)) {
    changed.writeUInt32BE(side, at + 8)
    changed.writeUInt32BE(side, at + 12)
  }
  return changed
}
