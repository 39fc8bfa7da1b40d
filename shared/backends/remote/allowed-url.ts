/** Longest address that is passed on: signed URLs of clouds have some 2,000 characters. */
const MAX_LENGTH = 4_096

/**
 * Which addresses in a service's answers are passed on to clients: those at its own host, and at others that the operator names. Nothing else
 * is allowed, so that no answer leads anybody into a network of the operator's that no setting names. `http:` only where the service itself is
 * asked so.
 * @param hosts as in a URL: `cdn.example.com`, `cdn.example.com:8443`
 * @returns the address as a browser reads it; undefined for one that isn't allowed
 */
export function allowedUrls(baseUrl: string, hosts: readonly string[]): (text: string) => string | undefined {
  const base = new URL(baseUrl)
  const allowed = new Set([base.host, ...hosts])
  const protocols = new Set(['https:', base.protocol])
  return (text) => {
    const url = text.length <= MAX_LENGTH ? URL.parse(text) : null
    if (!url || !protocols.has(url.protocol) || !allowed.has(url.host)) return undefined
    const isPlain = url.username === '' && url.password === '' && url.hash === ''
    return isPlain && url.href.length <= MAX_LENGTH ? url.href : undefined
  }
}
