import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { networksOf, notedNetwork } from '../shared/network.ts'

describe('who counts as one source', () => {
  test('an IPv4 address is one, also where it comes mapped into IPv6', () => {
    for (const spelling of [
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '::FFFF:192.0.2.1',
      '::ffff:c000:201',
      '0:0:0:0:0:ffff:c000:0201',
      ' 192.0.2.1 ',
      '192.0.2.1:80',
    ]) {
      assert.deepEqual(networksOf(spelling), ['192.0.2.1'], spelling)
    }
    assert.deepEqual(networksOf('::ffff:0.0.0.0'), ['0.0.0.0'])
  })

  test('an IPv6 address is its /64, and wider its /48, however it is written', () => {
    for (const spelling of [
      '2001:db8:a:1::1',
      '2001:DB8:A:1:0:0:0:1',
      '2001:0db8:000a:0001:0000:0000:0000:0001',
      '2001:db8:a:1:ffff:ffff:ffff:ffff',
      '2001:db8:a:1::192.0.2.1',
      '2001:db8:a:1::1%eth0',
      '[2001:db8:a:1::1]',
      '[2001:db8:a:1::1]:443',
    ]) {
      assert.deepEqual(networksOf(spelling), ['2001:db8:a:1::/64', '2001:db8:a::/48'], spelling)
    }
    assert.deepEqual(networksOf('2001:db8::1'), ['2001:db8:0:0::/64', '2001:db8:0::/48'])
    assert.deepEqual(networksOf('::1'), ['0:0:0:0::/64', '0:0:0::/48'])
  })

  test('neighbours of another /64 or /48 are others', () => {
    assert.notEqual(networksOf('2001:db8:a:1::1')[0], networksOf('2001:db8:a:2::1')[0])
    assert.equal(networksOf('2001:db8:a:1::1')[1], networksOf('2001:db8:a:2::1')[1])
    assert.notEqual(networksOf('2001:db8:a:1::1')[1], networksOf('2001:db8:b:1::1')[1])
  })

  test('an address that is mapped on the way to another meaning is no IPv4 address', () => {
    assert.deepEqual(networksOf('64:ff9b::192.0.2.1'), ['64:ff9b:0:0::/64', '64:ff9b:0::/48'])
  })

  test('what is no address counts as it is', () => {
    for (const text of ['', 'unknown', '1:2:3', 'fe80']) assert.deepEqual(networksOf(text), [text])
  })
})

test('of an address its /24 or /48 is noted', () => {
  for (const [address, network] of [
    ['192.0.2.17', '192.0.2.0/24'],
    ['::ffff:192.0.2.17', '192.0.2.0/24'],
    ['192.0.2.17:8080', '192.0.2.0/24'],
    ['2001:db8:a:1::1', '2001:db8:a::/48'],
    ['[2001:DB8::1]:443', '2001:db8::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '::/48'],
    ['unknown', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(notedNetwork(address), network, address)
  }
})
