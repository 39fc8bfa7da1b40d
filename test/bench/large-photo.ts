import sharp from 'sharp'
import { madeOnce } from '../support/kept-files.ts'

/** Its noise has so many bytes a pixel in this quality. */
const bytesPerPixel = 1.68

/** A JPEG of about so many megabytes with EXIF, made once and kept. @returns its path */
export async function largePhoto(megabytes: number): Promise<string> {
  const side = Math.round(Math.sqrt((megabytes * 1e6) / bytesPerPixel))
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: 'black', noise } })
  const exif = {
    IFD0: { Make: 'Camera', Model: 'One', Copyright: 'All rights reserved' },
    IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' },
  }
  return await madeOnce(`${megabytes}mb.jpg`, (path) =>
    picture.withExif(exif).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(path),
  )
}
