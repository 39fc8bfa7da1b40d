/** Longest stored filename, in characters. */
const MAX_LENGTH = 255

/**
 * The filename to keep of what a client sent: what follows the last `/` or `\` (clients send whole local paths), NFC, without
 * control characters, at most 255 characters with its extension kept. Never empty.
 */
export function uploadedFilename(sent: string): string {
  const name = sent
    .slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1)
    .toWellFormed()
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point.
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '')
    .trim()
  if (name === '' || name === '.' || name === '..') return 'unnamed'
  return shorten(name)
}

function shorten(name: string): string {
  if (name.length <= MAX_LENGTH) return name
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return name.slice(0, MAX_LENGTH - extension.length).toWellFormed() + extension
}
