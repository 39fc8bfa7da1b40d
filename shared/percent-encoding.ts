/**
 * Percent-encodes all but RFC 3986's unreserved characters. `encodeURIComponent()` leaves some others unencoded: URL parsers then encode
 * them (which breaks signatures), and RFC 8187 forbids them in header parameters.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
