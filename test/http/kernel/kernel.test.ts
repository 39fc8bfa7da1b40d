import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { createFolder } from '../../../functions/folder/create-folder.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { apiHandler } from '../../../shared/http/kernel/kernel.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'

const BASE_URL = 'http://127.0.0.1'
const MOST = 64 * 1024

test('a body that is too large is 413 before anybody asks who sent it, as on the single machine', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kernel-'))
  const table = openEmbeddedTable(join(directory, 'table.sqlite'))
  try {
    const settings = settingsAt(BASE_URL, defaultSettings)
    const kernel = { settings, clock: systemClock, log: jsonLog(() => undefined), baseUrl: BASE_URL }
    const handler = apiHandler(createFolder, { table }, kernel)
    const event = apiEvent({ method: 'POST', path: '/folder', authorization: '' }, '/folder', {})
    for (const [bytes, status] of [
      [MOST, 401],
      [MOST + 1, 413],
    ] as const) {
      const body = Buffer.alloc(bytes, ' ')
      const encodings = [
        { body: body.toString(), isBase64Encoded: false },
        { body: body.toString('base64'), isBase64Encoded: true },
      ]
      for (const encoded of encodings) assert.equal((await handler({ ...event, ...encoded })).statusCode, status)
    }
  } finally {
    table.close()
    await rm(directory, { recursive: true })
  }
})
