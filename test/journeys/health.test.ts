import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { describe, it } from 'vitest'
import { elsewhere, startService } from '../support/service.ts'

describe('GET /healthz', () => {
  it('says without authorization that all is well, and is never kept', async () => {
    const service = await startService()
    const response = await service.request('/healthz')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await response.json(), { status: 'ok', problems: [] })
    await service.stop()
  })

  it('is 503 with what is wrong when the service cannot serve, and 200 again when it can', elsewhere, async () => {
    const service = await startService()
    renameSync(service.directory!, `${service.directory}-moved`)
    const response = await service.request('/healthz')
    assert.equal(response.status, 503)
    assert.deepEqual(await response.json(), {
      status: 'unavailable',
      problems: [{ code: 'data_folder_gone', message: 'The data folder is gone.' }],
    })
    renameSync(`${service.directory}-moved`, service.directory!)
    assert.equal((await service.request('/healthz')).status, 200)
    await service.stop()
  })
})
