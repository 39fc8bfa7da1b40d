import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { outsideAddresses } from '../../../shared/backends/outside/addresses.ts'
import { isNetwork } from '../../../shared/backends/outside/networks.ts'

describe('addresses outside', () => {
  const permits = outsideAddresses()

  for (const address of ['93.184.216.34', '2606:4700::1111', '64:ff9b::5db8:d822', '::ffff:93.184.216.34', '2a00:1450:4001:800::200e']) {
    test(`${address} is permitted`, () => assert.equal(permits(address), true))
  }

  for (const address of [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.1.2.3', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '2001::1', '2002:7f00:1::', '3fff::1', '64:ff9b:1::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:a00:1',
      '64:ff9b::10.0.0.1',
      '64:ff9b::a9fe:a9fe',
      '::127.0.0.1',
      '::ffff:0:7f00:1',
    ],
    ...['', 'localhost', '127.1', '0x7f.0.0.1'],
  ]) {
    test(`${address || 'nothing'} is not`, () => assert.equal(permits(address), false))
  }

  test('networks that the operator allows are permitted, and no more of them', () => {
    const allowing = outsideAddresses(['10.1.0.0/16', 'fd12::/16', '127.0.0.1/32'])
    const asked = ['10.1.255.1', '::ffff:10.1.0.1', 'fd12:1::1', '127.0.0.1', '10.2.0.1', 'fd13::1', '127.0.0.2', '::1']
    assert.deepEqual(asked.map(allowing), [true, true, true, true, false, false, false, false])
  })

  test('a network has an address and a length', () => {
    for (const network of ['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8', '::1/128']) assert.equal(isNetwork(network), true, network)
    for (const text of ['10.0.0.0', '10.0.0.0/33', '10/8', 'fd00::/129', '10.0.0.0/8/8', 'example.com/8', '/8', '']) {
      assert.equal(isNetwork(text), false, text)
    }
  })
})
