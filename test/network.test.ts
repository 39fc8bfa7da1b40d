import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { networksOf, notedNetwork } from '../shared/network.ts'

const neighbours = ['2001:db8:a:1::/64', '2001:db8:a::/48']

describe('who counts as one source', () => {
  test.each<[string, string[]]>([
    ...['192.0.2.1', '::FFFF:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:c000:0201', ' 192.0.2.1 ', '192.0.2.1:80'].map(
      (spelling): [string, string[]] => [spelling, ['192.0.2.1']],
    ),
    ...[
      '2001:DB8:A:1:0:0:0:1',
      '2001:0db8:000a:0001::0001',
      '2001:db8:a:1::192.0.2.1',
      '2001:db8:a:1::1%eth0',
      '[2001:db8:a:1::1]:443',
    ].map((spelling): [string, string[]] => [spelling, neighbours]),
    ['2001:db8:a:2::1', ['2001:db8:a:2::/64', '2001:db8:a::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    // An address that is mapped on the way to another meaning is no IPv4 address.
    ['64:ff9b::192.0.2.1', ['64:ff9b:0:0::/64', '64:ff9b:0::/48']],
    ...['', 'unknown', '1:2:3', 'fe80'].map((text): [string, string[]] => [text, [text]]),
  ])('%s', (address, networks) => assert.deepEqual(networksOf(address), networks))
})

describe('of an address its /24 or /48 is noted', () => {
  test.each([
    ['192.0.2.17', '192.0.2.0/24'],
    ['::ffff:192.0.2.17', '192.0.2.0/24'],
    ['2001:db8:a:1::1', '2001:db8:a::/48'],
    ['[2001:DB8::1]:443', '2001:db8::/48'],
    ['::1', '::/48'],
    ['unknown', undefined],
  ])('%s', (address, network) => assert.equal(notedNetwork(address), network))
})
