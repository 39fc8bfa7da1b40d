import { thumbHashToDataURL } from 'thumbhash'

const made = new Map<string, string>()

/** A blurred picture of some bytes, as an address. @param hash ThumbHash in base64 */
export function blurred(hash: string): string {
  const known = made.get(hash)
  if (known) return known
  const url = thumbHashToDataURL(bytesOf(hash))
  if (made.size > 5_000) made.clear()
  made.set(hash, url)
  return url
}

/** Whether a picture has parts that one sees through: the highest bit of its ThumbHash's head says so. @param hash in base64 */
export const isSeeThrough = (hash: string | null | undefined): boolean => Boolean(hash) && (bytesOf(hash!.slice(0, 4))[2] ?? 0) >> 7 === 1

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
