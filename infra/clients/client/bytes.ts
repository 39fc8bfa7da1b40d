/** Bytes and texts, which are written in UTF-8, one after the other. */
export function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const encoded = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part))
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0))
  let filled = 0
  for (const part of encoded) {
    bytes.set(part, filled)
    filled += part.length
  }
  return bytes
}
