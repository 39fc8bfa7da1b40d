import sharp, { type Exif } from 'sharp'
import { madeOnce } from '../kept-files.ts'

/** 4:3, as most cameras. */
const aspect = 4 / 3
const tile = 512

/**
 * A JPEG like a camera's: 12 to 24 megapixels in some 3 to 6 MB, soft shapes under fine noise, EXIF with camera, time and
 * place. The same seed gives the same picture; it is made once and kept.
 * @returns its path
 */
export async function photo(megapixels: number, seed: number): Promise<string> {
  return await madeOnce(`${megapixels}mp-${seed}.jpg`, (path) => make(path, megapixels, seed))
}

async function make(path: string, megapixels: number, seed: number): Promise<void> {
  const height = Math.round(Math.sqrt((megapixels * 1e6) / aspect))
  const width = Math.round(height * aspect)
  const random = generator(seed)
  const noise = await sharp(bytes(random, tile * tile * 3, 96, 160), { raw: { width: tile, height: tile, channels: 3 } })
    .blur(0.7)
    .png({ compressionLevel: 1 })
    .toBuffer()
  const shapes = await sharp(bytes(random, 48 * 36 * 3, 20, 235), { raw: { width: 48, height: 36, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  await sharp(shapes)
    .composite([{ input: noise, tile: true, blend: 'soft-light' }])
    .withExif(exif(seed))
    .jpeg({ quality: 93 })
    .toFile(path)
}

function exif(seed: number): Exif {
  const minute = String(seed % 60).padStart(2, '0')
  return {
    IFD0: { Make: 'Camera', Model: 'One', Artist: 'A photographer', Copyright: 'All rights reserved' },
    IFD2: { DateTimeOriginal: `2024:05:06 07:${minute}:09`, ExposureTime: '1/250', FNumber: '28/10', ISOSpeedRatings: '200' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 40/1 34/1', GPSLongitudeRef: 'E', GPSLongitude: '12/1 34/1 6/1' },
  }
}

function bytes(random: () => number, count: number, from: number, to: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => from + (random() % (to - from))))
}

/** xorshift32 */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
