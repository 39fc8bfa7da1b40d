import { constants, copyFile, open } from 'node:fs/promises'
import { writeLabTiff } from './lab-tiff.ts'

/**
 * Brand of an AVIF image sequence. libvips doesn't support the brand, but decodes the still picture of such files under the brand `avif`.
 */
const SEQUENCE = Buffer.from('ftypavis')
const BRAND = Buffer.from('avif')
const BRAND_AT = 8

/**
 * Returns a file that libvips decodes correctly, for a format that it supports: the picture itself, or one written to `into`.
 * @throws ToolFailed
 */
export async function adapted(path: string, into: string): Promise<string> {
  if (await isSequence(path)) {
    await copyFile(path, into, constants.COPYFILE_FICLONE)
    const file = await open(into, 'r+')
    await file.write(BRAND, 0, BRAND.length, BRAND_AT).finally(() => file.close())
    return into
  }
  return (await writeLabTiff(path, into)) ? into : path
}

async function isSequence(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
    return buffer.subarray(4, bytesRead).equals(SEQUENCE)
  } finally {
    await file.close()
  }
}
