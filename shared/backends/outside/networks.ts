import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether this is a network in the form of the settings: `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Splits a comma-separated list of networks: `10.0.0.0/8, fd00::/8`. Empty for an empty text. */
export const networksIn = (list = ''): string[] => (list === '' ? [] : list.split(',').map((network) => network.trim()))

/** A set of networks. IPv4-mapped IPv6 addresses count as IPv4. @param list networks in the form of `isNetwork` */
export function networks(list: readonly string[]): { has(address: string): boolean } {
  const block = new BlockList()
  for (const network of list) {
    const [address = '', bits] = network.split('/')
    block.addSubnet(address, Number(bits), familyOf(address))
  }
  return { has: (address) => block.check(address, familyOf(address)) }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')
