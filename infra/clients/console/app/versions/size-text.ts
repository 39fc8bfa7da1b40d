import { bytes, number } from '../language/format.ts'
import type { Version } from './calls.ts'

/** How large a version is: pixels, where it has some, and bytes. */
export function sizeText({ width, height, file_disksize }: Version): string {
  const pixels = width && height ? `${number(width)} × ${number(height)}` : ''
  return [pixels, bytes(file_disksize)].filter(Boolean).join(' · ')
}
