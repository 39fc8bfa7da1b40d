import { networks } from '../outside/networks.ts'

/** Networks that are nobody's public servers: private, reserved, and those that reach IPv4 by translation. IPv4 that is mapped into IPv6 counts as IPv4. */
const RESERVED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]

const reserved = networks(RESERVED)

/** Whether an address is private or reserved. @param address without brackets */
export const isReserved = (address: string): boolean => reserved.has(address)
