import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { test } from 'vitest'
import { viewerOf } from '../../../shared/http/protocol/viewer.ts'

const event = (headers: Record<string, string>) =>
  ({
    headers,
    requestContext: { domainName: 'api.example', stage: 'v1', identity: { sourceIp: '192.0.2.1' } },
  }) as unknown as APIGatewayProxyEvent
const originKeyHashes = ['the key', 'the key before'].map((key) => createHash('sha256').update(key).digest('hex'))
const told = { 'X-Viewer-Host': 'library.example', 'X-Viewer-Address': '198.51.100.7' }

test('what the delivery network tells counts beside its key', () => {
  const viewer = viewerOf(event({ ...told, 'x-origin-key': 'the key' }), { originKeyHashes })
  assert.deepEqual(viewer, { baseUrl: 'https://library.example', address: '198.51.100.7' })
  assert.deepEqual(viewerOf(event({ ...told, 'x-origin-key': 'the key before' }), { originKeyHashes }), viewer)
})

test('the same headers from anybody else do not', () => {
  const direct = { baseUrl: 'https://api.example/v1', address: '192.0.2.1' }
  assert.deepEqual(viewerOf(event(told), { originKeyHashes }), direct)
  assert.deepEqual(viewerOf(event({ ...told, 'x-origin-key': 'a guess' }), { originKeyHashes }), direct)
  assert.deepEqual(viewerOf(event({ ...told, 'x-origin-key': '' }), {}), direct)
})

test('a fixed address wins over everything', () => {
  assert.equal(viewerOf(event(told), { baseUrl: 'http://127.0.0.1:4000' }).baseUrl, 'http://127.0.0.1:4000')
})
