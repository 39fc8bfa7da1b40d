/** Addresses that no request goes to where somebody else names the host: of this machine, private, special, or outside of what is global unicast. */
export const refusedAddresses = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1', '198.18.0.1'],
  ...['192.0.0.8', '192.0.2.1', '192.88.99.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fec0::1', 'ff02::1', '100::1', '4000::1', '5f00::1'],
  ...['2001::1', '2001:db8::1', '2002::', '2002:7f00:1::', '3fff::1'],
  // Services of clouds for their machines: Azure's, Alibaba's, Oracle's, Amazon's, Google's, Scaleway's, Linode's.
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42', 'fd00:a9fe:a9fe::1'],
  ...['::ffff:168.63.129.16', '64:ff9b::a83f:8110', '2002:a83f:8110::1', '64:ff9b:1::a83f:8110'],
  ...['::ffff:127.0.0.1', '::ffff:a00:1', '::7f00:1', '::ffff:0:7f00:1', '64:ff9b::', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
]

/** Addresses of public servers, also where IPv6 holds one of IPv4. */
export const publicAddresses = [
  ...['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:800::200e'],
  ...['::ffff:93.184.216.34', '64:ff9b::5db8:d822'],
]

/** Other ways to write `127.0.0.1` as the host of a URL. */
export const loopbackSpellings = ['127.1', '0177.0.0.1', '0x7f.1', '0x7f000001', '2130706433', '127.0.0.1.', '１２７。0.0.1', '%3127.0.0.1']

/** An address as the host of a URL. */
export const urlHost = (address: string): string => (address.includes(':') ? `[${address}]` : address)
