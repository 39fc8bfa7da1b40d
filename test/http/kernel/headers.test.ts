import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { refusal } from '../../../infra/local/http/refusals.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { fallbackHandler } from '../../../shared/http/kernel/kernel.ts'
import { documentationHandler } from '../../../shared/http/openapi/documentation.ts'
import type { Kernel } from '../../../shared/http/protocol/exchange.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'

const kernelAt = (baseUrl?: string): Kernel => ({
  settings: { ...defaultSettings, cdnUrl: '', playerUrl: '' },
  clock: systemClock,
  log: jsonLog(() => undefined),
  ...(baseUrl && { baseUrl }),
})
const event = apiEvent({ method: 'GET', path: '/nothing', authorization: '' }, '/{proxy+}', null)

describe('every answer of the API', () => {
  const HSTS = 'Strict-Transport-Security'
  const handlers = (kernel: Kernel) => [
    fallbackHandler(kernel),
    documentationHandler(kernel, async () => ({ document: { openapi: '3.1.0', paths: {} }, files: {} })),
  ]

  it('asks to come back by TLS where clients reach it by TLS, and nowhere else', async () => {
    for (const [baseUrl, expected] of [
      [undefined, 'max-age=31536000'],
      ['https://media.example.com', 'max-age=31536000'],
      ['http://127.0.0.1:4000', undefined],
    ] as const)
      for (const answer of handlers(kernelAt(baseUrl))) assert.equal((await answer(event)).headers?.[HSTS], expected, baseUrl)
  })

  it('says the same where the single-machine server refuses a request itself', () => {
    const asked = { brand: 'SVC', requestId: 'id', origin: undefined }
    assert.equal(refusal(413, { ...asked, overTls: true }).headers?.[HSTS], 'max-age=31536000')
    assert.equal(refusal(413, { ...asked, overTls: false }).headers?.[HSTS], undefined)
    assert.equal(refusal(413, { ...asked, overTls: false }).headers?.['X-Content-Type-Options'], 'nosniff')
  })
})
