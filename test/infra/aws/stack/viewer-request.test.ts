import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, test } from 'vitest'

const source = readFileSync(new URL('../../../../infra/aws/stack/viewer-request.js', import.meta.url), 'utf8')

interface EdgeRequest {
  uri: string
  headers: Record<string, { value: string }>
}

/** Runs the function as CloudFront does. */
function handle(uri: string, headers: Record<string, string> = {}): EdgeRequest {
  const given = Object.entries({ host: 'api.example.com', ...headers }).map(([name, value]) => [name, { value }])
  const event = { viewer: { ip: '203.0.113.7' }, request: { uri, headers: Object.fromEntries(given) } }
  return runInNewContext(`${source}; handler(event)`, { event })
}

describe('the viewer-request function', () => {
  test("tells the viewer's host and address", () => {
    const { headers } = handle('/folder')
    assert.equal(headers['x-viewer-host']!.value, 'api.example.com')
    assert.equal(headers['x-viewer-address']!.value, '203.0.113.7')
  })

  test('overwrites what a client claims', () => {
    const { headers } = handle('/folder', { 'x-viewer-address': '127.0.0.1', 'x-viewer-host': 'evil.example' })
    assert.equal(headers['x-viewer-address']!.value, '203.0.113.7')
    assert.equal(headers['x-viewer-host']!.value, 'api.example.com')
  })

  test('accepts anything for who says nothing of it, else the gateway would hand out bytes in base64', () => {
    assert.equal(handle('/folder').headers.accept!.value, '*/*')
    assert.equal(handle('/folder', { accept: 'image/avif,image/webp,*/*;q=0.8' }).headers.accept!.value, 'image/avif,image/webp,*/*;q=0.8')
  })

  test('takes trailing slashes off, but for the root', () => {
    assert.equal(handle('/media/5/').uri, '/media/5')
    assert.equal(handle('/media/5//').uri, '/media/5')
    assert.equal(handle('/media/5').uri, '/media/5')
    assert.equal(handle('/').uri, '/')
    assert.equal(handle('//').uri, '/')
    assert.equal(handle('//media//5').uri, '/media/5')
  })
})
