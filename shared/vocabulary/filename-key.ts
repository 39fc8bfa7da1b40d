// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included.
const ASCII = /^[\x00-\x7f]*$/

/**
 * The key of files in the order of their names: NFC, case folded. Keys are compared by code points, which is the order of their bytes in
 * UTF-8, not that of `<`.
 */
export function filenameKey(filename: string): string {
  return ASCII.test(filename) ? filename.toLowerCase() : Array.from(filename.normalize('NFC'), foldCase).join('').normalize('NFC')
}

/** Letter by letter, because a sigma at the end of a word has a small form of its own. */
function foldCase(letter: string): string {
  // Its capital is that of `i`, which it is not.
  return letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase()
}
