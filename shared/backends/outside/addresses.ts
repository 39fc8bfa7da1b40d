import { isIP, isIPv4, isIPv6 } from 'node:net'
import { networks } from './networks.ts'

/**
 * Networks of IPv4 that aren't the public internet (IANA's registry of special-purpose addresses, RFC 6890): this machine, private and shared
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

/** IPv6 has one public network. */
const PUBLIC_IPV6 = ['2000::/3']

/** What is special within it: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Addresses of IPv4 as IPv6 writes them: mapped by sockets, and translated by NAT64 (RFC 6052). Their last 32 bits count. */
const IPV4_IN_IPV6 = networks(['::ffff:0:0/96', '64:ff9b::/96'])

/**
 * What is reached from a machine alone: link-local addresses, and services of clouds for their machines, which give away credentials. Some are in
 * networks that an operator may allow, and Azure's (168.63.129.16, its wire server) is among public addresses.
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

/** Networks that the operator names, as `isNetwork` says. */
export interface NamedNetworks {
  allowed?: readonly string[]
  /** They count before those that are allowed. */
  refused?: readonly string[]
}

/**
 * Which network addresses this service may connect to where somebody else names the host: those of the public internet, and networks that the
 * operator allows.
 */
export function outsideAddresses({ allowed = [], refused = [] }: NamedNetworks = {}): (address: string) => boolean {
  const [allowedToo, refusedToo] = [networks(allowed), networks(refused)]
  return (address) => {
    const plain = asIPv4(address)
    if (isIP(plain) && (platform.has(plain) || refusedToo.has(plain))) return false
    if (isIPv4(plain)) return allowedToo.has(plain) || !specialIPv4.has(plain)
    if (!isIPv6(plain)) return false
    return allowedToo.has(plain) || (publicIPv6.has(plain) && !specialIPv6.has(plain))
  }
}

/** The address of IPv4 that one of IPv6 stands for, else the address itself. */
function asIPv4(address: string): string {
  if (!isIPv6(address) || !IPV4_IN_IPV6.has(address)) return address
  // A URL's host is written in the one canonical way (RFC 5952): the last two groups in hex.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
