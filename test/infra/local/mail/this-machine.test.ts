import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isFromThisMachine, isLocalAddress } from '../../../../infra/local/mail/this-machine.ts'

const received = (remoteAddress: string | undefined, headers: Record<string, string | string[]> = {}) => ({
  socket: { remoteAddress },
  headersDistinct: Object.fromEntries(
    Object.entries({ host: 'localhost:4000', ...headers }).map(([name, value]) => [name, [value].flat()]),
  ),
})

describe('a request comes from this machine', () => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    test(`over loopback, ${address}`, () => assert.ok(isFromThisMachine(received(address))))
  }
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:4000', '[::1]:4000']) {
    test(`under the name ${host}`, () => assert.ok(isFromThisMachine(received('::1', { host }))))
  }
  for (const site of ['none', 'same-origin']) {
    test(`from a browser: ${site}`, () => assert.ok(isFromThisMachine(received('::1', { 'sec-fetch-site': site }))))
  }
})

describe('a request is refused that', () => {
  for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '2001:db8::1', '::', '', undefined]) {
    test(`comes from ${address}`, () => assert.ok(!isFromThisMachine(received(address))))
  }
  const foreign: (string | string[])[] = [
    'media.example.com',
    '127.0.0.1.example.com',
    'localhost.example.com',
    'example.com:4000',
    'a@localhost',
    'localhost/x',
    '192.168.1.7:4000',
    '',
    [],
    ['localhost', 'localhost'],
  ]
  for (const host of foreign) {
    test(`asks for ${JSON.stringify(host)}`, () => assert.ok(!isFromThisMachine(received('127.0.0.1', { host }))))
  }
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
    test(`came through a proxy: ${name}`, () => assert.ok(!isFromThisMachine(received('127.0.0.1', { [name]: '127.0.0.1' }))))
  }
  test('another site made', () => {
    assert.ok(!isFromThisMachine(received('127.0.0.1', { origin: 'https://example.com' })))
    for (const site of ['cross-site', 'same-site']) assert.ok(!isFromThisMachine(received('127.0.0.1', { 'sec-fetch-site': site })))
  })
})

test('an address is of this machine alone, or it is not', () => {
  for (const url of ['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000']) assert.ok(isLocalAddress(url), url)
  for (const url of ['https://media.example.com', 'http://192.168.1.7:4000', 'http://127.0.0.1.example.com'])
    assert.ok(!isLocalAddress(url), url)
})
