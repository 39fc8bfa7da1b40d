import { isIP, isIPv4, isIPv6 } from 'node:net'
import { networks } from './networks.ts'

/**
 * IPv4 networks outside of the public internet (IANA's registry of special-purpose addresses, RFC 6890): this machine, private and shared
 * networks, link-local with the metadata services of clouds, documentation, benchmarks, multicast, reserved.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The only public network of IPv6. */
const PUBLIC_IPV6 = ['2000::/3']

/** Special networks within it: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** IPv6 networks whose last 32 bits are an IPv4 address: mapped by sockets, and translated by NAT64 (RFC 6052). */
const IPV4_IN_IPV6 = networks(['::ffff:0:0/96', '64:ff9b::/96'])

/**
 * Always refused: link-local addresses, and services of clouds for their machines, which hand out credentials. Some are in networks that an
 * operator may allow, and Azure's wire server (168.63.129.16) has a public address.
 */
const PLATFORM = [
  ...['169.254.0.0/16', 'fe80::/10'],
  // Azure, Alibaba Cloud, Oracle Cloud.
  ...['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
  // Amazon (metadata, credentials of containers, names, time), Google, Scaleway, Akamai.
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:42::42/128', 'fd00:a9fe:a9fe::/48'],
]

const platform = networks(PLATFORM)
const specialIPv4 = networks(SPECIAL_IPV4)
const publicIPv6 = networks(PUBLIC_IPV6)
const specialIPv6 = networks(SPECIAL_IPV6)

/** Networks in the operator's settings, in the form of `isNetwork`. */
export interface NamedNetworks {
  allowed?: readonly string[]
  /** Takes precedence over `allowed`. */
  refused?: readonly string[]
}

/**
 * Whether this service may connect to an address if a third party names the host: the public internet, and networks that the operator
 * allows.
 */
export function outsideAddresses({ allowed = [], refused = [] }: NamedNetworks = {}): (address: string) => boolean {
  const [isAllowed, isRefused] = [networks(allowed), networks(refused)]
  return (address) => {
    const plain = asIPv4(address)
    if (isIP(plain) && (platform.has(plain) || isRefused.has(plain))) return false
    if (isIPv4(plain)) return isAllowed.has(plain) || !specialIPv4.has(plain)
    if (!isIPv6(plain)) return false
    return isAllowed.has(plain) || (publicIPv6.has(plain) && !specialIPv6.has(plain))
  }
}

/** The IPv4 address in an IPv6 address, else the address itself. */
function asIPv4(address: string): string {
  if (!isIPv6(address) || !IPV4_IN_IPV6.has(address)) return address
  // A URL's host is in canonical form (RFC 5952): the last two groups are hex.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
