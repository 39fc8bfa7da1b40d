import { isIPv4, isIPv6 } from 'node:net'

/**
 * The networks that count as one source of requests, narrowest first. An IPv4 address is one. An IPv6 user has a whole /64, and many have a
 * /48, so single IPv6 addresses can't be counted.
 * @param address in any spelling; an IPv4 address may be mapped into IPv6 (`::ffff:192.0.2.1`). Anything else is returned as it is.
 * @returns `['192.0.2.1']`, or `['2001:db8:0:1::/64', '2001:db8:0::/48']`
 */
export function networksOf(address: string): [narrowest: string, wider?: string] {
  const bare = withoutPort(address.trim())
    // A zone (`fe80::1%eth0`) names an interface of this machine, not the client.
    .replace(/%.*$/s, '')
  if (!isIPv6(bare)) return [bare]
  const groups = groupsOf(bare)
  const mapped = mappedIPv4(groups)
  if (mapped !== undefined) return [mapped]
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

/**
 * The network to store for an address, so that it doesn't identify a person: the /24 of an IPv4 address, the /48 of an IPv6 one.
 * @returns `192.0.2.0/24`, or `2001:db8::/48`; undefined if it is no address
 */
export function notedNetwork(address: string): string | undefined {
  const [narrowest, wider] = networksOf(address)
  if (isIPv4(narrowest)) return `${narrowest.slice(0, narrowest.lastIndexOf('.'))}.0/24`
  return wider === undefined ? undefined : `${canonical(wider.slice(0, -'/48'.length))}/48`
}

/** Some proxies add the port: `192.0.2.1:8080`, `[2001:db8::1]:8080`. */
function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return bracketed ?? dotted ?? address
}

/** The eight groups of an IPv6 address: lower-case hex without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = canonical(address)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail]
}

/** An IPv6 address in canonical form (RFC 5952), a dotted end as two groups. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/** The IPv4 address in `::ffff:192.0.2.1`, the form that a dual-stack socket reports. */
function mappedIPv4(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
