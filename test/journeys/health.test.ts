import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { describe, it } from 'vitest'
import { elsewhere, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

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
    // It tells the last look where a new one takes long.
    const answered = async (status: number) => {
      const response = await service.request('/healthz')
      return response.status === status && ((await response.json()) as object)
    }
    assert.deepEqual(await until(() => answered(503)), {
      status: 'unavailable',
      problems: [{ code: 'data_folder_gone', message: 'The data folder is gone.' }],
    })
    renameSync(`${service.directory}-moved`, service.directory!)
    await until(() => answered(200))
    await service.stop()
  })
})
