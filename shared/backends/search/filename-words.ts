import { INVISIBLE } from '../../vocabulary/folding.ts'

/** Boundaries between words without a separator: `myPhoto`, `HTMLFile`, `IMG1234`, `2024trip`. */
const SEAMS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}\p{M}*)(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/**
 * The searchable forms of a filename: the name itself and, where that gives more words, the name split at changes of case and between
 * letters and digits. (`_`, `-`, `.` separate words anyway.) `IMG1234-myPhoto.jpg` → itself and `IMG 1234-my Photo.jpg`.
 */
export function filenameReadings(filename: string): string[] {
  const visible = filename.replace(INVISIBLE, '')
  const apart = visible.replace(SEAMS, ' ')
  return apart === visible ? [visible] : [visible, apart]
}
