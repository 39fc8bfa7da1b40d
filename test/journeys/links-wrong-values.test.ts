import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'vitest'
import { quadrantImage } from '../support/pictures/index.ts'
import { publishing } from '../support/published-picture.ts'
import { emulatorLimit } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { newerParameters, wrongValues } from '../support/wrong-link-values.ts'

/** Wrong values of each parameter. */
const COUNT = 200

describe('wrong values of links', emulatorLimit('has no edges'), async () => {
  const { service } = await serviceWithAccounts()
  const { publish } = await publishing(service)
  const { url } = await publish(await quadrantImage({ width: 640, height: 480 }).jpeg().toBuffer(), 'photo.jpg')

  async function shown(query: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}?${query}`, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    const told = { ignored: response.headers.get('link-ignored'), etag: response.headers.get('etag') }
    return { status: response.status, ...told, bytes: hash('sha256', bytes) }
  }
  const plain = await shown('width=40')

  for (const name of newerParameters) {
    test(`${COUNT} of ${name} show the same as none, and are told`, async () => {
      for (const value of wrongValues(name, COUNT)) {
        assert.deepEqual(await shown(`${name}=${value}&width=40`), { ...plain, ignored: name }, `${name}=${value}`)
      }
    })
  }

  test('of several parameters are told in one order, each once, on 304 too', async () => {
    const query = 'hdr=x&dpr=9&background=x&focus=x&crop=x&aspect=x&fit=x&fit=y&width=40'
    const ignored = 'fit, aspect, crop, focus, background, dpr, hdr'
    assert.deepEqual(await shown(query), { ...plain, ignored })
    const known = await shown(query, { 'if-none-match': plain.etag! })
    assert.deepEqual([known.status, known.ignored, known.etag], [304, ignored, plain.etag])
  })

  test('do not count where a right one comes first, and count where it comes later', async () => {
    assert.equal((await shown('width=40&dpr=2&dpr=x')).ignored, null)
    assert.deepEqual(await shown('width=40&dpr=x&dpr=2'), { ...plain, ignored: 'dpr' })
  })

  test('of lists and other names say nothing', async () => {
    for (const query of [
      'crop[]=0,0,1,1',
      'fit[0]=cover',
      'Fit=cover',
      'FIT=x',
      'dpr%00=2',
      '__proto__=1',
      'constructor=1',
      'toString=1',
    ]) {
      assert.deepEqual(await shown(`width=40&${query}`), plain, query)
    }
  })

  test('of the older parameters stay errors, whatever newer ones say', async () => {
    const refused = await shown('width=0&fit=x')
    assert.deepEqual([refused.status, refused.ignored], [400, 'fit'])
  })

  test('names that no preset has are 404', async () => {
    for (const value of wrongValues('fit', COUNT)) {
      const response = await fetch(`${url}?preset=${value}&width=40`)
      const { code } = (await response.json()) as { code: string }
      assert.deepEqual([response.status, code], [404, 'preset_not_found'], value)
    }
  })
})
