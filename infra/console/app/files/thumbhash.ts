import { thumbHashToDataURL } from 'thumbhash'

const made = new Map<string, string>()

/** A blurred picture of some bytes, as an address. @param hash ThumbHash in base64 */
export function blurred(hash: string): string {
  const known = made.get(hash)
  if (known) return known
  const url = thumbHashToDataURL(Uint8Array.from(atob(hash), (sign) => sign.charCodeAt(0)))
  if (made.size > 5_000) made.clear()
  made.set(hash, url)
  return url
}
