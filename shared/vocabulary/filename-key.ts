// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included.
const ASCII = /^[\x00-\x7f]*$/

/**
 * The sort key of filenames: NFC, case folded. Compare keys by code points, which is the order of their UTF-8 bytes, but not that of `<`.
 */
export function filenameKey(filename: string): string {
  return ASCII.test(filename) ? filename.toLowerCase() : Array.from(filename.normalize('NFC'), foldCase).join('').normalize('NFC')
}

/** Folds letter by letter, because a sigma at the end of a word has its own lower-case form. */
function foldCase(letter: string): string {
  // `ı` has the same capital as `i`, but is another letter.
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase()
}
