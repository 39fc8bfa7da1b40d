import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { listJobs } from '../../../../shared/library/jobs/operator.ts'
import { putMedia } from '../../../support/media.ts'
import { Background } from './background.ts'

let background: Background
beforeEach(async () => {
  background = await Background.create()
})
afterEach(() => background.remove())

test('messages and dead letters that an earlier version left in its queues become jobs, once', async () => {
  const { table } = await background.start({})
  await putMedia(table, { mediaId: 7, companyId: 5 })
  await putMedia(table, { mediaId: 12, companyId: 5, state: 'importing', kind: undefined })
  await table.put({ pk: 'RESETREQUEST#r', sk: 'RESETREQUEST', id: 'r', companyId: 5 })
  await table.put({ pk: 'ZIP#z', sk: 'ZIP', jobId: 'z', companyId: 5 })
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
  add.run('suggestions', 'company-5', JSON.stringify({ mediaId: 8 }), 0)
  add.run('downloads', 'company-5', JSON.stringify({ mediaIds: [8, 7] }), 1)
  add.run('links', 'company-5', JSON.stringify({ companyId: 5, linkId: 'ab', alias: 'press' }), 0)
  add.run('invalidations', 'company-5', JSON.stringify({ wake: 1 }), 0)
  add.run('zips', 'company-5', JSON.stringify({ companyId: 5, jobId: 'z' }), 0)
  add.run('removals', 'company-5', JSON.stringify({ companyId: 5, cliqueId: 9 }), 0)
  add.run('removals', 'company-5', JSON.stringify({ companyId: 5, folderId: 9, sweep: { after: 3, isLast: false } }), 1)
  add.run('encodings', 'company-5', JSON.stringify({ companyId: 5, mediaId: 9 }), 0)
  add.run('encodings', 'company-5', JSON.stringify({ companyId: 5, mediaId: 9 }), 1)
  add.run('mails', 'company-5', JSON.stringify({ passwordReset: 'r' }), 0)
  add.run('mails', 'company-5', JSON.stringify({ zip: 'z' }), 1)
  add.run('mails', 'company-5', JSON.stringify({ stream: 7, encodingId: 's' }), 0)
  add.run('mails', 'company-5', JSON.stringify({ zip: 'gone' }), 0)
  add.run('imports', 'company-5', JSON.stringify({ mediaId: 12 }), 0)
  add.run('imports', 'company-5', JSON.stringify({ mediaId: 12 }), 1)
  add.run('imports', 'company-5', JSON.stringify({ mediaId: 7 }), 0)
  queues.close()

  const embedded = await background.start({})
  await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 60_000 })
  const kinds = [
    'make-master',
    'suggest-keywords',
    'prepare-downloads',
    'build-zip',
    'publish-link',
    'invalidate-edges',
    'encode-video',
    'finish-removal',
    'import-media',
    'send-mail',
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
