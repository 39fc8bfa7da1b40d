import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { importMedia } from '../../functions/jobs/import-media.ts'
import { ObjectsUnavailable } from '../../shared/backends/objects/port.ts'
import { claimNext } from '../../shared/library/jobs/claim.ts'
import { performJob } from '../../shared/library/jobs/perform.ts'
import { ATTEMPTS } from '../../shared/library/jobs/retries.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { askForImport, importJob } from '../../shared/library/media/importing.ts'
import { mediaKey, type StoredMedia } from '../../shared/library/media/keys.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { toMediaId } from '../../shared/vocabulary/ids.ts'
import { openImportStores } from '../support/import-stores.ts'
import { COMPANY, putMedia } from '../support/media.ts'

const FILE = toMediaId(1)

/** An import whose runs end as the test says, each after the pause that comes before it. */
async function setUp() {
  const stores = await openImportStores()
  const { table, clock, by } = stores
  await putMedia(table, { mediaId: 1, state: 'importing', progress: 0, uploadKey: 'upload/a.jpg', filename: 'a.jpg', kind: undefined })
  await table.transact({ job: askForImport({ clock, by }, { companyId: COMPANY, mediaId: FILE }) })
  const log = jsonLog(() => {})
  const jobs = { table, clock, log }
  const perform = async (end: 'fails' | 'is cut off') => {
    const job = (await claimNext(jobs, importJob.name, undefined, 60_000))!
    const runWith = (get: () => Promise<never>) => {
      const given = { ...stores, uploads: { get }, log, job, by: { kind: 'job', job: 'import-media', run: '1' } }
      return importMedia.handle(given as unknown as Parameters<typeof importMedia.handle>[0])
    }
    if (end === 'fails') await performJob(jobs, job, () => runWith(() => Promise.reject(new ObjectsUnavailable('away'))))
    // In the middle of its reading.
    else await new Promise<void>((read) => void runWith(() => new Promise(() => read())))
    const next = await reviveJobs(jobs, importJob.name)
    const began = clock.now()
    if (next !== undefined) clock.ms = Math.max(next, began)
    // A dead run is found when its lease has ended; then comes the pause.
    const due = await reviveJobs(jobs, importJob.name)
    if (due !== undefined) clock.ms = Math.max(due, clock.now())
    await reviveJobs(jobs, importJob.name)
    return { attempt: job.attempts, isDelayed: (await table.get<StoredMedia>(mediaKey(FILE)))?.delayed === true }
  }
  return { perform, clock }
}

describe('a file whose import fails', () => {
  test('is delayed after nine attempts', async () => {
    const { perform } = await setUp()
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      assert.deepEqual(await perform('fails'), { attempt, isDelayed: attempt === ATTEMPTS })
    }
  })

  test('is delayed as well where the attempts were cut off: the run that follows at once says so', async () => {
    const { perform, clock } = await setUp()
    for (let attempt = 1; attempt < ATTEMPTS; attempt++) assert.deepEqual(await perform('is cut off'), { attempt, isDelayed: false })
    const before = clock.now()
    assert.deepEqual(await perform('is cut off'), { attempt: ATTEMPTS, isDelayed: false })
    assert.ok(clock.now() - before < 120_000)
    assert.deepEqual(await perform('is cut off'), { attempt: ATTEMPTS + 1, isDelayed: true })
  })
})
