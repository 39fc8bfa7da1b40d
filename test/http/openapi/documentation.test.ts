import assert from 'node:assert/strict'
import { test } from 'vitest'
import { settingsAt } from '../../../infra/local/settings.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import type { OpenApiDocument } from '../../../shared/http/openapi/document.ts'
import { documentationHandler } from '../../../shared/http/openapi/documentation.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'

const BASE_URL = 'http://127.0.0.1'

test('documentation that could not be loaded is loaded at the next request, and then no more', async () => {
  const kernel = { settings: settingsAt(BASE_URL, defaultSettings), clock: systemClock, log: jsonLog(() => undefined), baseUrl: BASE_URL }
  let loads = 0
  const handler = documentationHandler(kernel, async () => {
    loads += 1
    if (loads === 1) throw new Error('too many open files')
    return { document: { openapi: '3.1.0' } as OpenApiDocument, files: {} }
  })
  const ask = async () =>
    (await handler(apiEvent({ method: 'GET', path: '/openapi.json', authorization: '' }, '/openapi.json', null))).statusCode
  assert.deepEqual([await ask(), await ask(), await ask(), loads], [500, 200, 200, 2])
})
