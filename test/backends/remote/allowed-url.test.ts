import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { allowedUrls } from '../../../shared/backends/remote/allowed-url.ts'

const allowed = allowedUrls('https://stock.example.com/api', ['cdn.example.com', 'files.example.com:8443'])

describe('addresses in answers of services', () => {
  test.each([
    'https://stock.example.com/files/1?Signature=abc%2F',
    'https://cdn.example.com/1.jpg',
    'https://files.example.com:8443/1.jpg',
    'https://CDN.example.com:443/1.jpg',
  ])('%s is allowed', (url) => {
    assert.equal(allowed(url), new URL(url).href)
  })

  test.each([
    'https://stock.example.com:8443/1.jpg',
    'https://files.example.com/1.jpg',
    'https://example.com/1.jpg',
    'https://www.cdn.example.com/1.jpg',
    'https://cdn.example.com.attacker.example/1.jpg',
    'https://cdn.example.com./1.jpg',
    'https://cdn.example.com@attacker.example/1.jpg',
    'https://attacker.example/https://cdn.example.com/1.jpg',
    'https://anna:secret@cdn.example.com/1.jpg',
    'https://cdn.example.com/1.jpg#fragment',
    'http://cdn.example.com/1.jpg',
    'ftp://cdn.example.com/1.jpg',
    'javascript:alert(1)//cdn.example.com',
    'data:text/html,cdn.example.com',
    'blob:https://cdn.example.com/1',
    '//cdn.example.com/1.jpg',
    '',
    'https://127.0.0.1/1.jpg',
    'https://2130706433/1.jpg',
    'https://[::ffff:127.0.0.1]/1.jpg',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.7/1.jpg',
    'https://localhost/1.jpg',
    'https://db.internal/1.jpg',
    `https://cdn.example.com/${'a'.repeat(4_096)}`,
    `https://cdn.example.com/${'å'.repeat(2_000)}`,
  ])('%s is not', (url) => {
    assert.equal(allowed(url), undefined)
  })

  test('are as plain as those of the service, and internal where it is', () => {
    const internal = allowedUrls('http://10.0.0.7:8080/api', [])
    assert.equal(internal('http://10.0.0.7:8080/1.jpg'), 'http://10.0.0.7:8080/1.jpg')
    assert.equal(internal('http://10.0.0.7/1.jpg'), undefined)
    assert.equal(internal('http://10.0.0.8:8080/1.jpg'), undefined)
  })

  test('come as browsers read them, so that nobody reads them otherwise', () => {
    assert.equal(allowed('https://cdn.example.com/a\n/../b c'), 'https://cdn.example.com/b%20c')
    assert.equal(allowed('https://cdn.example.com\\@attacker.example/1.jpg'), 'https://cdn.example.com/@attacker.example/1.jpg')
    assert.equal(allowed('  https:/\\cdn.example.com\\1.jpg'), 'https://cdn.example.com/1.jpg')
  })
})
