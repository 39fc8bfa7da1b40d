/**
 * Text of bytes in the encoding that they seem to have: UTF-8 and UTF-16 by their mark, UTF-8 where all is valid, else Windows-1252, in which
 * nothing is invalid.
 * @param isCut whether the last character may be incomplete
 */
export function decodeText(bytes: Uint8Array, isCut: boolean): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
