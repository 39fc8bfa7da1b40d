import { isIPv4, isIPv6 } from 'node:net'

/**
 * The networks that count as one source of requests, the narrowest first. An IPv4 address is one. With IPv6 whoever has one address has the
 * whole /64 that it is in, and many have a /48: counting single addresses would count nothing.
 * @param address in any spelling; an IPv4 address may be mapped into IPv6 (`::ffff:192.0.2.1`). What is no address counts as it is.
 * @returns `['192.0.2.1']`, or `['2001:db8:0:1::/64', '2001:db8:0::/48']`
 */
export function networksOf(address: string): [narrowest: string, wider?: string] {
  const bare = withoutPort(address.trim())
    // A zone (`fe80::1%eth0`) names an interface of this machine, not who asks.
    .replace(/%.*$/s, '')
  if (!isIPv6(bare)) return [bare]
  const groups = groupsOf(bare)
  const mapped = mappedIPv4(groups)
  if (mapped !== undefined) return [mapped]
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

/**
 * The network that is noted of an address: the /24 of an IPv4 address, the /48 of an IPv6 one. Few know by it who that was.
 * @returns `192.0.2.0/24`, or `2001:db8::/48`; undefined for what is no address
 */
export function notedNetwork(address: string): string | undefined {
  const [narrowest, wider] = networksOf(address)
  if (isIPv4(narrowest)) return `${narrowest.slice(0, narrowest.lastIndexOf('.'))}.0/24`
  return wider === undefined ? undefined : `${canonical(wider.slice(0, -'/48'.length))}/48`
}

/** Some proxies tell the port as well: `192.0.2.1:8080`, `[2001:db8::1]:8080`. */
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

/** An IPv6 address in the one canonical way (RFC 5952), as a URL's host is written: a dotted end as two groups. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/** The IPv4 address that a socket of both families writes as `::ffff:192.0.2.1`. */
function mappedIPv4(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
