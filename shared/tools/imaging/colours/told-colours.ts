import { open } from 'node:fs/promises'
import { bitmapColours } from './bitmap-colours.ts'
import { areSrgb, type Colours } from './colours.ts'
import { heifColours } from './heif-colours.ts'
import { pngColours } from './png-colours.ts'
import type { Read } from './read.ts'

/**
 * The colours that a picture defines by numbers: PNG in chunks, AVIF and HEIC in code points, BMP in its header. Undefined if it has a
 * profile, is in sRGB, or defines none.
 */
export async function toldColours(path: string): Promise<Colours | undefined> {
  const file = await open(path)
  try {
    return await readColours(async (position, bytes) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}

/** The same for a picture in memory. */
export function toldColoursOf(picture: Buffer): Promise<Colours | undefined> {
  return readColours(async (position, bytes) => picture.subarray(position, position + bytes))
}

async function readColours(read: Read): Promise<Colours | undefined> {
  const start = (await read(0, 12)).toString('latin1')
  const told = await readerOf(start)?.(read)
  return told && !areSrgb(told) ? told : undefined
}

function readerOf(start: string): ((read: Read) => Promise<Colours | undefined>) | undefined {
  if (start.startsWith('\x89PNG\r\n')) return pngColours
  if (start.startsWith('ftyp', 4)) return heifColours
  return start.startsWith('BM') ? bitmapColours : undefined
}
