import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test, vi } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import type { Table } from '../../../../shared/backends/table/port.ts'
import { dueKeys } from '../../../../shared/library/due.ts'
import { listJobs } from '../../../../shared/library/jobs/operator.ts'
import { linkKey } from '../../../../shared/library/links/link.ts'
import { newFolder } from '../../../../shared/library/tree/folder.ts'
import { changeTree } from '../../../../shared/library/tree/tree-store.ts'
import { type FolderId, toCompanyId, toFolderId, toLinkId } from '../../../../shared/vocabulary/ids.ts'
import { jobDue } from '../../../support/former-work.ts'
import { putMedia } from '../../../support/media.ts'
import { Background } from './background.ts'

/** Of zips. */
const requester = { kind: 'user', userId: 1 }

let background: Background
beforeEach(() => {
  background = new Background()
})

test('messages and dead letters that an earlier version left in its queues become jobs, once', async () => {
  const { table } = await background.start({})
  await putMedia(table, { mediaId: 7, companyId: 5 })
  await putMedia(table, { mediaId: 12, companyId: 5, state: 'importing', kind: undefined })
  await table.put({ pk: 'RESETREQUEST#r', sk: 'RESETREQUEST', id: 'r', companyId: 5 })
  await table.put({ pk: 'ZIP#z', sk: 'ZIP', jobId: 'z', companyId: 5, requester })
  await table.put({ pk: 'MEDIA#7', sk: 'VIDEO', mediaId: 7, companyId: 5 })
  await background.stop()
  const file = embeddedLayout(background.directory).queues
  const queues = new DatabaseSync(file)
  queues.exec(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, message_group TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL, visible_at INTEGER NOT NULL, receives INTEGER NOT NULL DEFAULT 0, parked INTEGER NOT NULL DEFAULT 0) STRICT`)
  const add = queues.prepare('INSERT INTO messages (queue, message_group, body, visible_at, parked) VALUES (?, ?, ?, 0, ?)')
  add.run('masters', 'company-5', JSON.stringify({ companyId: 5, linkId: 'ab', revision: 3 }), 0)
  add.run('masters', 'company-5', JSON.stringify({ companyId: 5, linkId: 'ab', revision: 3 }), 1)
  add.run('suggestions', 'company-5', JSON.stringify({ mediaId: 7 }), 1)
  add.run('downloads', 'company-5', JSON.stringify({ mediaIds: [8, 7] }), 1)
  add.run('links', 'company-5', JSON.stringify({ companyId: 5, linkId: 'ab', alias: 'press' }), 0)
  add.run('invalidations', 'company-5', JSON.stringify({ wake: 1 }), 0)
  add.run('zips', 'company-5', JSON.stringify({ companyId: 5, jobId: 'z' }), 0)
  add.run('removals', 'company-5', JSON.stringify({ companyId: 5, cliqueId: 9 }), 0)
  add.run('removals', 'company-5', JSON.stringify({ companyId: 5, folderId: 9, sweep: { after: 3, isLast: false } }), 1)
  add.run('encodings', 'company-5', JSON.stringify({ companyId: 5, mediaId: 9 }), 0)
  add.run('mails', 'company-5', JSON.stringify({ passwordReset: 'r' }), 0)
  add.run('mails', 'company-5', JSON.stringify({ zip: 'z' }), 1)
  add.run('mails', 'company-5', JSON.stringify({ stream: 7, encodingId: 's' }), 0)
  add.run('mails', 'company-5', JSON.stringify({ zip: 'gone' }), 0)
  add.run('imports', 'company-5', JSON.stringify({ mediaId: 12 }), 0)
  add.run('imports', 'company-5', JSON.stringify({ mediaId: 7 }), 0)
  queues.close()

  const embedded = await background.start({})
  await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 60_000 })
  const kinds = [
    ...['make-master', 'suggest-keywords', 'prepare-downloads', 'build-zip', 'publish-link', 'invalidate-edges', 'encode-video'],
    ...['finish-removal', 'import-media', 'send-mail'],
  ]
  const jobs = await listJobs(embedded, kinds, {})
  assert.deepEqual(
    jobs.map(({ kind, companyId, input }) => ({ kind, companyId, input })),
    [
      { kind: 'make-master', companyId: 5, input: { linkId: 'ab', revision: 3 } },
      { kind: 'suggest-keywords', companyId: 5, input: { mediaId: 7 } },
      { kind: 'prepare-downloads', companyId: 5, input: { mediaIds: [8, 7] } },
      { kind: 'build-zip', companyId: 5, input: { zip: 'z' } },
      { kind: 'publish-link', companyId: 5, input: { linkId: 'ab', alias: 'press' } },
      { kind: 'invalidate-edges', companyId: 0, input: null },
      { kind: 'encode-video', companyId: 5, input: { mediaId: 9 } },
      { kind: 'finish-removal', companyId: 5, input: { cliqueId: 9 } },
      { kind: 'finish-removal', companyId: 5, input: { folderId: 9 } },
      { kind: 'import-media', companyId: 5, input: { mediaId: 12 } },
      { kind: 'send-mail', companyId: 5, input: { passwordReset: 'r' } },
      { kind: 'send-mail', companyId: 5, input: { stream: 7, encodingId: 's' } },
      { kind: 'send-mail', companyId: 5, input: { zip: 'z' } },
    ],
  )
})

test('encodes that an earlier version had begun, or ended without telling it, are begun again', async () => {
  const { table } = await background.start({})
  for (const mediaId of [7, 8, 9]) await table.put({ pk: `MEDIA#${mediaId}`, sk: 'VIDEO', mediaId, companyId: 5 })
  await background.stop()
  const file = embeddedLayout(background.directory).transcoding
  const store = new DatabaseSync(file)
  store.exec(
    'CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, ended INTEGER, is_told INTEGER NOT NULL DEFAULT 0) STRICT',
  )
  const add = store.prepare('INSERT INTO jobs (job, ended, is_told) VALUES (?, ?, ?)')
  add.run(JSON.stringify({ token: 'a', companyId: 5, mediaId: 7 }), null, 0)
  add.run(JSON.stringify({ token: 'b', companyId: 5, mediaId: 8 }), 1, 0)
  add.run(JSON.stringify({ token: 'c', companyId: 5, mediaId: 9 }), 1, 1)
  store.close()

  const embedded = await background.start({})
  await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 60_000 })
  const jobs = await listJobs(embedded, ['encode-video'], {})
  assert.deepEqual(
    jobs.map(({ input }) => input),
    [{ mediaId: 7 }, { mediaId: 8 }],
  )
})

test('records of an earlier version that wait without a job get one, where something is still to be done', async () => {
  const { table } = await background.start({})
  const due = (id: number) => jobDue(id, background.clock.now())
  await putMedia(table, { mediaId: 1, companyId: 5, state: 'importing', kind: undefined, ...due(1) })
  await putMedia(table, { mediaId: 2, companyId: 5, suggestionsWanted: background.clock.now(), ...due(2) })
  await putMedia(table, { mediaId: 3, companyId: 5, ...due(3) })
  await table.put({ pk: 'MEDIA#4', sk: 'VIDEO', mediaId: 4, companyId: 5, ...due(4) })
  await table.put({ pk: 'ZIP#a', sk: 'ZIP', jobId: 'a', companyId: 5, requester, state: 'PENDING', ...due(5) })
  await table.put({ pk: 'ZIP#b', sk: 'ZIP', jobId: 'b', companyId: 5, requester, state: 'FAILED', ...due(6) })
  await table.put({ ...linkKey(toLinkId('ab')), linkId: 'ab', alias: 'press', companyId: 5, ...due(7) })
  await table.put({ pk: 'CLIQUE#8', sk: 'REMOVAL', companyId: 5, ...due(8) })
  const folderId = await deletedFolder(table)
  await background.stop()

  const embedded = await background.start({})
  const left = () => Promise.all(dueKeys('JOB').map((pk) => embedded.table.query({ index: 'trashDue', pk, sk: {}, limit: 10 })))
  await vi.waitFor(async () => expect((await left()).flatMap(({ items }) => items)).toEqual([]), { timeout: 60_000 })
  const kinds = ['import-media', 'suggest-keywords', 'encode-video', 'build-zip', 'publish-link', 'finish-removal']
  const jobs = await listJobs(embedded, kinds, {})
  assert.deepEqual(
    jobs.map(({ kind, input }) => ({ kind, input })),
    [
      { kind: 'import-media', input: { mediaId: 1 } },
      { kind: 'suggest-keywords', input: { mediaId: 2 } },
      { kind: 'encode-video', input: { mediaId: 4 } },
      { kind: 'build-zip', input: { zip: 'a' } },
      { kind: 'publish-link', input: { linkId: 'ab', alias: 'press' } },
      { kind: 'finish-removal', input: { cliqueId: 8 } },
      { kind: 'finish-removal', input: { folderId } },
    ],
  )
  assert.equal(await embedded.table.get({ pk: 'CLIQUE#8', sk: 'REMOVAL' }), undefined)
})

/** A folder that an earlier version deleted, without a job. */
async function deletedFolder(table: Table): Promise<FolderId> {
  const library = { table, clock: background.clock, by: { kind: 'job', job: 'test', run: '1' } as const }
  const folderId = toFolderId(9)
  const companyId = toCompanyId(5)
  const folder = newFolder(folderId, { companyId, name: 'Gone', parent: null, created: background.clock.now() })
  await changeTree(library, companyId, () => ({ put: [{ ...folder, deleted: 1, ...jobDue(folderId, background.clock.now()) }] }))
  return folderId
}
