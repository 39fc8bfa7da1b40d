/** Where one name goes over into the next: `myPhoto`, `HTMLFile`, `IMG1234`, `2024trip`. */
const SEAMS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}\p{M}*)(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/**
 * What a filename is searched by: the name itself and, where that gives more words, the name taken apart at changes of case and between
 * letters and digits. (`_`, `-`, `.` end words anyway.) `IMG1234-myPhoto.jpg` → itself and `IMG 1234-my Photo.jpg`.
 */
export function filenameReadings(filename: string): string[] {
  const apart = filename.replace(SEAMS, ' ')
  return apart === filename ? [filename] : [filename, apart]
}
