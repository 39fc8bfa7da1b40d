/**
 * Percent-encodes all but RFC 3986's unreserved characters. `encodeURIComponent()` leaves some more alone, which parsers of URLs then
 * encode themselves (and so break signatures), and which RFC 8187 doesn't take in header parameters.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
