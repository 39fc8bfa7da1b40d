import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isFromThisMachine, isLocalAddress } from '../../../../infra/local/http/this-machine.ts'

function isLocal(remoteAddress: string | undefined, headers: Record<string, string | string[]> = {}): boolean {
  const given = Object.entries({ host: 'localhost:4000', ...headers }).map(([name, value]) => [name, [value].flat()])
  return isFromThisMachine({ socket: { remoteAddress }, headersDistinct: Object.fromEntries(given) })
}

test('a request comes from this machine', () => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) assert.ok(isLocal(address), address)
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:4000', '[::1]:4000']) assert.ok(isLocal('::1', { host }), host)
  for (const site of ['none', 'same-origin']) assert.ok(isLocal('::1', { 'sec-fetch-site': site }), site)
})

test('a request comes from elsewhere', () => {
  for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '2001:db8::1', '::', '', undefined]) assert.ok(!isLocal(address), address)
  const names = ['media.example.com', '127.0.0.1.example.com', 'localhost.example.com', 'example.com:4000', '192.168.1.7:4000']
  for (const host of [...names, 'a@localhost', 'localhost/x', '', [], ['localhost', 'localhost']])
    assert.ok(!isLocal('127.0.0.1', { host }), String(host))
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])
    assert.ok(!isLocal('127.0.0.1', { [name]: '127.0.0.1' }), name)
  for (const site of ['cross-site', 'same-site']) assert.ok(!isLocal('127.0.0.1', { 'sec-fetch-site': site }), site)
  assert.ok(!isLocal('127.0.0.1', { origin: 'https://example.com' }))
})

test('an address is of this machine alone, or it is not', () => {
  for (const url of ['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000']) assert.ok(isLocalAddress(url), url)
  for (const url of ['https://media.example.com', 'http://192.168.1.7:4000', 'http://127.0.0.1.example.com'])
    assert.ok(!isLocalAddress(url), url)
})
