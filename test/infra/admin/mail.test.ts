import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { recordMailFailure } from '../../../shared/library/mail/failures.ts'
import { makeLibrary, runCommand, runJson } from './run-command.ts'

describe('mail failures', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'media-library-'))
    await makeLibrary(directory)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const today = Date.now()
  const failures = (...args: string[]) => runJson(directory, ['mail', 'failures', ...args])

  test('of one machine are none, and the help says why', async () => {
    assert.deepEqual(await failures(), [])
    const { code, out } = await runCommand(directory, ['mail', 'failures'])
    assert.deepEqual([code, out], [0, 'No e-mail failed.'])
    assert.match((await runCommand(directory, ['mail', 'failures', '--help'])).out, /A library on one machine lists none/)
  })

  test('are listed newest first, as a table and as JSON', async () => {
    const table = openEmbeddedTable(embeddedLayout(directory).table)
    const failure = { kind: 'bounce', subject: 'SVC: Your new password', messageId: 'm-1', diagnostic: '550 user unknown' } as const
    await recordMailFailure({ table }, { ...failure, id: '1', time: today - 3 * 86_400_000, recipient: 'anna@example.com' })
    await recordMailFailure({ table }, { ...failure, id: '2', time: today, recipient: 'berta@example.com' })
    table.close()

    const time = new Date(today).toISOString().slice(0, 19).replace('T', ' ')
    const [newest, ...others] = await failures()
    const { messageId, ...shown } = failure
    assert.deepEqual(newest, { time, recipient: 'berta@example.com', message_id: messageId, ...shown })
    assert.equal(others.length, 1)
    assert.deepEqual(await failures('--limit', '1'), [newest])
    assert.deepEqual(await failures('--since', new Date(today - 2 * 86_400_000).toISOString().slice(0, 10)), [newest])

    const [titles, row] = (await runCommand(directory, ['mail', 'failures'])).out.split('\n')
    assert.match(titles!, /^TIME \(UTC\) +KIND +RECIPIENT +SUBJECT +DIAGNOSTIC$/)
    assert.match(row!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +bounce +berta@example\.com +SVC: Your new password +550 user unknown$/)
  })
})
