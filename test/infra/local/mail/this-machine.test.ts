import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isFromThisMachine, isLocalAddress } from '../../../../infra/local/mail/this-machine.ts'

const received = (remoteAddress: string | undefined, headers: Record<string, string | string[]> = {}) => ({
  socket: { remoteAddress },
  headersDistinct: Object.fromEntries(
    Object.entries({ host: 'localhost:4000', ...headers }).map(([name, value]) => [name, [value].flat()]),
  ),
})

const local: [string, Record<string, string>?][] = [
  ...['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].map((address): [string] => [address]),
  ...['localhost', 'LOCALHOST:1', '127.0.0.1:4000', '[::1]:4000'].map((host): [string, Record<string, string>] => ['::1', { host }]),
  ...['none', 'same-origin'].map((site): [string, Record<string, string>] => ['::1', { 'sec-fetch-site': site }]),
]
test.each(local)('a request comes from this machine: %s %j', (address, headers) => assert.ok(isFromThisMachine(received(address, headers))))

const foreignHosts: (string | string[])[] = [
  ...['media.example.com', '127.0.0.1.example.com', 'localhost.example.com', 'example.com:4000', 'a@localhost', 'localhost/x'],
  ...['192.168.1.7:4000', '', [], ['localhost', 'localhost']],
]
const proxied = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']
const refused: [string | undefined, Record<string, string | string[]>?][] = [
  ...['192.168.1.7', '::ffff:10.0.0.1', '2001:db8::1', '::', '', undefined].map((address): [string | undefined] => [address]),
  ...foreignHosts.map((host): [string, Record<string, string | string[]>] => ['127.0.0.1', { host }]),
  ...proxied.map((name): [string, Record<string, string>] => ['127.0.0.1', { [name]: '127.0.0.1' }]),
  ['127.0.0.1', { origin: 'https://example.com' }],
  ['127.0.0.1', { 'sec-fetch-site': 'cross-site' }],
  ['127.0.0.1', { 'sec-fetch-site': 'same-site' }],
]
test.each(refused)('a request does not: %s %j', (address, headers) => assert.ok(!isFromThisMachine(received(address, headers))))

test('an address is of this machine alone, or it is not', () => {
  for (const url of ['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000']) assert.ok(isLocalAddress(url), url)
  for (const url of ['https://media.example.com', 'http://192.168.1.7:4000', 'http://127.0.0.1.example.com'])
    assert.ok(!isLocalAddress(url), url)
})
