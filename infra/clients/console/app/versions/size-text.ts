import { bytes, pixels } from '../language/format.ts'
import type { Version } from './calls.ts'

/** How large a version is: pixels, where it has some, and bytes. */
export function sizeText({ width, height, file_disksize }: Version): string {
  const size = bytes(file_disksize)
  return width && height ? `${pixels(width, height)} · ${size}` : size
}
