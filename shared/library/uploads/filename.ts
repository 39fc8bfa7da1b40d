import { withoutControls } from '../names.ts'

/** Longest stored filename, in characters. */
const MAX_LENGTH = 255

/**
 * The stored filename: the client's after the last `/` or `\` (clients send whole local paths), NFC, without control characters, cut to 255
 * characters before its extension. Never empty.
 */
export function uploadedFilename(sent: string): string {
  const last = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1)
  const name = withoutControls(last.toWellFormed().normalize('NFC')).trim()
  if (name === '' || name === '.' || name === '..') return 'unnamed'
  return shorten(name)
}

function shorten(name: string): string {
  if (name.length <= MAX_LENGTH) return name
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return name.slice(0, MAX_LENGTH - extension.length).toWellFormed() + extension
}
