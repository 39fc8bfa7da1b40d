import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isReserved } from '../../../shared/backends/webhooks/addresses.ts'

/** The first and the last address of each network that nothing is sent to, and its neighbours. */
const reserved = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ['::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:c0a8:1'],
]

const open = [
  ['1.0.0.0', '9.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.1.0', '192.167.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ['2606:4700::1111', '2001:4860:4860::8888', '64:ff9a::', '2003::', 'fbff::', '::ffff:8.8.8.8'],
]

describe('an address', () => {
  test.each(reserved.flat())('%s is reserved', (address) => assert.equal(isReserved(address), true))
  test.each(open.flat())('%s is open', (address) => assert.equal(isReserved(address), false))
})
