import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test, vi } from 'vitest'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { getBulk, requestBulk, requestUndo } from '../../../../shared/library/bulk/request.ts'
import { createFolder, deleteFolder } from '../../../../shared/library/folders/folders.ts'
import { claimNext } from '../../../../shared/library/jobs/claim.ts'
import { jobKey } from '../../../../shared/library/jobs/job.ts'
import { failAttempt } from '../../../../shared/library/jobs/run.ts'
import { askForImport } from '../../../../shared/library/media/importing.ts'
import { askForSuggestions, suggestionJob } from '../../../../shared/library/media/suggestions.ts'
import { toCompanyId, toMediaId, toUserId } from '../../../../shared/vocabulary/ids.ts'
import { by, openTestCompany, requestOf } from '../../../support/library.ts'
import { putMedia } from '../../../support/media.ts'
import { makeLibrary, runCommand, runJson } from '../run-command.ts'

const pictureOf7 = { key: '5/7/renditions/1200x800', mime: 'image/jpeg', width: 1200, height: 800 }

describe('jobs', () => {
  let directory: string
  let table: EmbeddedTable
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'media-library-'))
    await makeLibrary(directory)
    table = openEmbeddedTable(embeddedLayout(directory).table)
    const by = { kind: 'user', userId: toUserId(1), requestId: 'request-1' } as const
    for (const id of [1, 2]) {
      const wanted = { companyId: toCompanyId(id), subject: String(id), input: { mediaId: toMediaId(id) } }
      await table.transact({ job: suggestionJob.ask({ clock: systemClock, by }, wanted) })
    }
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    table.close()
    await rm(directory, { recursive: true, force: true })
  })

  const jobs = (...args: string[]) => runJson(directory, ['jobs', ...args])
  const jobs1 = { job: 'suggest-keywords.1', kind: 'suggest-keywords', subject: '1', company_id: 1 }

  /** The first job fails for the ninth time. */
  async function fail(): Promise<void> {
    await table.update(jobKey(jobs1.job), { set: { attempts: 8 } })
    const library = { table, clock: systemClock }
    await failAttempt(library, (await claimNext(library, suggestionJob.name, undefined, 60_000))!, new Error('the suggester is away'))
  }

  test('that are not done are listed, failed ones first, and by state, kind and company', async () => {
    await fail()
    const [failed, waiting, ...others] = await jobs('list')
    const { due, asked, ...rest } = failed
    assert.deepEqual(rest, { ...jobs1, state: 'failed', attempts: 9, error: 'Error: the suggester is away', request_id: 'request-1' })
    assert.ok(due > asked)
    assert.deepEqual([waiting.job, waiting.state, others], ['suggest-keywords.2', 'waiting', []])
    assert.deepEqual(await jobs('list', '--state', 'failed'), [failed])
    assert.deepEqual(await jobs('list', '--company', '2'), [waiting])
    assert.deepEqual(await jobs('list', '--kind', 'other'), [])
    assert.deepEqual(await jobs('show', 'suggest-keywords.1'), failed)
    const { out } = await runCommand(directory, ['jobs', 'list'])
    assert.match(out, /^JOB +COMPANY +STATE +AGE +ATTEMPTS +DUE \(UTC\) +LAST ERROR\n/)
    assert.match(out, /suggest-keywords\.1 +1 +failed +\d+ s +9 +\S+ \S+ +Error: the suggester is away/)
  })

  test('are as old as they are, in any zone', async () => {
    await table.update(jobKey(jobs1.job), { set: { askedAt: Date.now() - 2 * 3_600_000 } })
    vi.stubEnv('TZ', 'Asia/Kathmandu')
    const { out } = await runCommand(directory, ['jobs', 'list', '--company', '1'])
    assert.match(out, /suggest-keywords\.1 +1 +waiting +2 h /)
  })

  test('are tried again at once, and cancelled', async () => {
    await fail()
    const { state, attempts } = await jobs('retry', 'suggest-keywords.1')
    assert.deepEqual([state, attempts], ['waiting', 0])
    assert.equal((await jobs('cancel', 'suggest-keywords.2')).job, 'suggest-keywords.2')
    assert.deepEqual(
      (await jobs('list')).map((each: { job: string }) => each.job),
      ['suggest-keywords.1'],
    )
    const { code, error } = await runCommand(directory, ['jobs', 'retry', 'suggest-keywords.2'])
    assert.deepEqual([code, error.includes('There is no such job')], [1, true])
    assert.equal((await runCommand(directory, ['jobs', 'list', '--state', 'lost'])).code, 2)
  })

  test('that are cancelled leave nobody waiting: a bulk change has failed, and keywords may be asked for again', async () => {
    const library = { table, clock: systemClock, by }
    const { companyId, admin } = await openTestCompany(library)
    await putMedia(table, { mediaId: 7, companyId, renditions: { '1200px': pictureOf7 } })
    assert.equal(await askForSuggestions(library, toMediaId(7)), true)
    const asking = { ...requestOf(library, admin), by: { kind: 'user', userId: admin.user.userId, requestId: 'request' } as const }
    const { bulkId } = await requestBulk(asking, [toMediaId(7)], { byline: 'Anna' })
    const stateOf = async () => (await getBulk(asking, bulkId)).bulk.state
    assert.equal(await stateOf(), 'PENDING')

    await jobs('cancel', `change-media.${bulkId}`)
    assert.equal(await stateOf(), 'FAILED')
    await requestUndo(asking, bulkId)
    await jobs('cancel', 'suggest-keywords.7')
    assert.equal(await askForSuggestions(library, toMediaId(7)), true)
    assert.equal((await jobs('show', 'suggest-keywords.7')).state, 'waiting')
  })

  test('that remove what a deletion leaves behind, or import files, are not cancelled: nothing else would do it', async () => {
    const library = { table, clock: systemClock, by }
    const { admin } = await openTestCompany(library)
    const { folderId } = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null })
    await deleteFolder(requestOf(library, admin), folderId)
    await table.transact({ job: askForImport(library, { companyId: toCompanyId(1), mediaId: toMediaId(7) }) })
    for (const [job, why] of [
      [`finish-removal.folder-${folderId}`, 'is removed in any case'],
      ['import-media.7', 'Delete it instead'],
    ] as const) {
      const { code, error } = await runCommand(directory, ['jobs', 'cancel', job])
      assert.deepEqual([code, error.includes(why)], [1, true])
      assert.equal((await jobs('show', job)).state, 'waiting')
    }
  })
})
