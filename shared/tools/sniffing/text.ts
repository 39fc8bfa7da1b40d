/** The text; undefined if it contains bytes that text never has. */
export function textOf(head: Buffer): string | undefined {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  let decoded: string
  try {
    // Decodes as a stream, because the sample may end within a character.
    decoded = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
  } catch {
    decoded = head.toString('latin1')
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells binary data from text
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(decoded) ? undefined : decoded
}

/** Offset of the root element, after declaration, comments and document type. */
export function rootStart(text: string): number {
  const prolog = /(?:\s+|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)/iy
  let at = 0
  while (prolog.test(text)) at = prolog.lastIndex
  return at
}

/** Local name of the root element, in lower case. */
export function rootName(text: string): string | undefined {
  const at = rootStart(text)
  return /^<(?:[a-z][\w.-]*:)?([a-z][\w.-]*)/i.exec(text.slice(at, at + 200))?.[1]?.toLowerCase()
}
