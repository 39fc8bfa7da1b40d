import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/** Its noise has so many bytes a pixel in this quality. */
const bytesPerPixel = 1.68

/** A JPEG of about so many megabytes with EXIF, made once and kept below the system's temporary folder. @returns its path */
export async function largePhoto(megabytes: number): Promise<string> {
  const directory = join(tmpdir(), 'media-library-photos')
  await mkdir(directory, { recursive: true })
  const path = join(directory, `${megabytes}mb.jpg`)
  if (await stat(path).catch(() => undefined)) return path
  const side = Math.round(Math.sqrt((megabytes * 1e6) / bytesPerPixel))
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: 'black', noise } })
  const exif = {
    IFD0: { Make: 'Camera', Model: 'One', Copyright: 'All rights reserved' },
    IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' },
  }
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, await picture.withExif(exif).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer())
  await rename(unfinished, path)
  return path
}
