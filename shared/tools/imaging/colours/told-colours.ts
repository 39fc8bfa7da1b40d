import { open } from 'node:fs/promises'
import { bitmapColours } from './bitmap-colours.ts'
import { areSrgb, type Colours } from './colours.ts'
import { heifColours } from './heif-colours.ts'
import { pngColours } from './png-colours.ts'
import type { Read } from './read.ts'

/**
 * The colours that a picture tells by numbers: PNG in chunks, AVIF and HEIC in code points, BMP in its header.
 * Undefined where it has a profile, is in sRGB, or says nothing.
 */
export async function toldColours(path: string): Promise<Colours | undefined> {
  const file = await open(path)
  try {
    const read: Read = async (position, bytes) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position)
      return buffer.subarray(0, bytesRead)
    }
    const start = (await read(0, 12)).toString('latin1')
    const told = start.startsWith('\x89PNG\r\n')
      ? await pngColours(read)
      : start.startsWith('ftyp', 4)
        ? await heifColours(read)
        : start.startsWith('BM')
          ? await bitmapColours(read)
          : undefined
    return told && !areSrgb(told) ? told : undefined
  } finally {
    await file.close()
  }
}
