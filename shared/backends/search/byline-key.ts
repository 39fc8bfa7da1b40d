import { filenameKey } from '../../vocabulary/filename-key.ts'

/** Bylines that begin alike for so long are alike. */
const MAX_CHARACTERS = 255

/** The key of files in the order of their bylines, folded as filenames are; empty for no byline. */
export function bylineKey(byline: string): string {
  return Array.from(filenameKey(byline.trim()).slice(0, 2 * MAX_CHARACTERS))
    .slice(0, MAX_CHARACTERS)
    .join('')
}
