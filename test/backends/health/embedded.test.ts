import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { type EmbeddedBackend, openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { embeddedHealth } from '../../../shared/backends/health/embedded.ts'
import { tableHealth } from '../../../shared/backends/health/table.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { dueTime } from '../../../shared/library/due.ts'
import { countFailed } from '../../../shared/library/jobs/operator.ts'
import { failedUntil } from '../../../shared/library/jobs/states.ts'
import { toCompanyId } from '../../../shared/vocabulary/ids.ts'

const MINUTE = 60_000

describe('the health of one machine', () => {
  let directory: string
  let embedded: EmbeddedBackend
  const now = Date.UTC(2026, 0, 15, 12)
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'media-library-'))
    embedded = await openEmbeddedBackend({
      directory,
      baseUrl: 'http://x',
      mailSender: 'a@example.com',
      clock: { ...systemClock, now: () => now },
    })
  })
  afterEach(async () => {
    await embedded.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const problems = () => embedded.backend.health.problems()

  it.for(['of one machine', 'of a deployment'])('cannot serve when the table is out of reach: %s', async (home) => {
    const table = openEmbeddedTable(embeddedLayout(directory).table)
    const health =
      home === 'of one machine'
        ? embeddedHealth({ ...embedded, failedJobs: countFailed, failingWebhooks: async () => 0, directory, table })
        : tableHealth(table, countFailed, async () => 0)
    assert.deepEqual(await health.problems(), [])
    table.close()
    assert.deepEqual(await health.problems(), [{ code: 'table_unreachable', message: 'The table cannot be read.', stops: true }])
  })

  it('cannot serve once its data folder is gone', async () => {
    renameSync(directory, `${directory}-moved`)
    assert.deepEqual(await problems(), [{ code: 'data_folder_gone', message: 'The data folder is gone.', stops: true }])
    renameSync(`${directory}-moved`, directory)
    assert.deepEqual(await problems(), [])
  })

  it('serves while webhooks fail, and says how many have for more than an hour', async () => {
    const failingFor = (id: string, minutes: number) =>
      embedded.table.put({ pk: 'COMPANY#1', sk: `WEBHOOK#${id}`, dueKey: 'WEBHOOKS_FAILING', dueAt: dueTime(now - minutes * MINUTE) })
    await failingFor('short', 59)
    assert.deepEqual(await problems(), [])
    await failingFor('long', 61)
    assert.deepEqual(await problems(), [
      { code: 'webhooks_failing', message: 'Webhooks that have failed for more than an hour: 1.', stops: false },
    ])
  })

  it('serves while jobs failed, and says how many of which kind', async () => {
    const job = { kind: 'suggest-keywords', companyId: toCompanyId(1) }
    for (const n of [1, 2]) await embedded.table.put({ pk: `JOB#suggest-keywords.${n}`, sk: 'JOB', ...failedUntil(job, now) })
    const message = 'Jobs that failed: suggest-keywords 2. Each is tried again every hour.'
    assert.deepEqual(await problems(), [{ code: 'jobs_failed', message, stops: false }])
  })
})
