import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { outsideAddresses } from '../../../shared/backends/outside/addresses.ts'
import { isNetwork } from '../../../shared/backends/outside/networks.ts'
import { publicAddresses, refusedAddresses } from '../../support/network-addresses.ts'

/** The first and the last address of networks that are refused. */
const edgesRefused = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.0', '127.255.255.255'],
  ...['169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255', '192.168.0.0', '192.168.255.255'],
  ...['198.18.0.0', '198.19.255.255', '224.0.0.0', '239.255.255.255', '240.0.0.0'],
  ...['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::', '3fff:fff::'],
  ...['64:ff9b::10.0.0.1', '64:ff9b::ffff:ffff', '0:0:0:0:0:ffff:c0a8:1'],
]

/** Their neighbours. */
const edgesPublic = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '2000::', '2001:200::', '2003::', '3ffe::', '3fff:1000::'],
]

describe('addresses outside', () => {
  const permits = outsideAddresses()

  test.each([...publicAddresses, ...edgesPublic])('%s is permitted', (address) => assert.equal(permits(address), true))
  test.each([...refusedAddresses, ...edgesRefused])('%s is not', (address) => assert.equal(permits(address), false))
  test.each(['', 'localhost', '127.1', '0x7f.0.0.1'])('"%s", which is no address, is not', (text) => assert.equal(permits(text), false))

  test('networks that the operator allows are permitted, and no more of them', () => {
    const allowing = outsideAddresses({ allowed: ['10.1.0.0/16', 'fd12::/16', '127.0.0.1/32'] })
    const asked = ['10.1.255.1', '::ffff:10.1.0.1', 'fd12:1::1', '127.0.0.1', '10.2.0.1', 'fd13::1', '127.0.0.2', '::1']
    assert.deepEqual(asked.map(allowing), [true, true, true, true, false, false, false, false])
  })

  test('services of clouds for their machines, and what is local to a link, are not, whatever network is allowed', () => {
    const allowing = outsideAddresses({ allowed: ['0.0.0.0/0', '::/0'] })
    const platforms = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fe80::a9fe:a9fe']
    const platforms6 = ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42', 'fd00:a9fe:a9fe::1', '64:ff9b::a9fe:a9fe']
    for (const address of [...platforms, ...platforms6, '::ffff:168.63.129.16']) assert.equal(allowing(address), false, address)
    for (const address of ['168.63.129.15', '100.100.100.201', '10.0.0.1', 'fd00:ec3::1']) assert.equal(allowing(address), true, address)
  })

  test('networks that the operator refuses are not, public or allowed', () => {
    const refusing = outsideAddresses({ allowed: ['10.1.0.0/16'], refused: ['10.1.2.0/24', '8.8.8.0/24', '2606:4700::/32'] })
    const asked = ['10.1.2.3', '8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::1111', '10.1.3.1', '8.8.4.4', '2a00::1']
    assert.deepEqual(asked.map(refusing), [false, false, false, false, false, true, true, true])
  })

  test('a network has an address and a length', () => {
    for (const network of ['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8', '::1/128']) assert.equal(isNetwork(network), true, network)
    for (const text of ['10.0.0.0', '10.0.0.0/33', '10/8', 'fd00::/129', '10.0.0.0/8/8', 'example.com/8', '/8', '']) {
      assert.equal(isNetwork(text), false, text)
    }
  })
})
