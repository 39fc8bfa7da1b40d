import assert from 'node:assert/strict'
import { test } from 'vitest'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { type LoggedDownload, logDownload } from '../../../../shared/library/downloads/log.ts'
import { type CompanyId, toCompanyId, toMediaId, toUserId } from '../../../../shared/vocabulary/ids.ts'
import { by } from '../../../support/library.ts'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

const DAY = 86_400_000

const directory = await temporaryLibrary()

test('downloads of a company are listed newest first, over days, as a table and as JSON', async () => {
  const run = (...args: string[]) => runJson(directory, ['downloads', 'list', ...args])
  const company = async (name: string) => toCompanyId((await runJson(directory, ['company', 'create', '--name', name])).company_id)
  const [ours, others] = [await company('Ours'), await company('Others')]
  const { id, key } = await runJson(directory, ['key', 'create', '--company', String(ours)])

  const today = Date.now()
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  const log = (companyId: CompanyId, daysAgo: number, given: Partial<LoggedDownload> = {}) =>
    logDownload(
      { table, clock: { ...systemClock, now: () => today - daysAgo * DAY }, by },
      { companyId, mediaId: toMediaId(7), folders: [], version: 1 },
      { size: null, userId: null, keyId: null, info: null, ...given },
    )
  await log(ours, 89, { size: '320px', userId: toUserId(5), keyId: id, info: '{"purpose":"print"}' })
  await log(ours, 0)
  await log(others, 0)
  await log(ours, 91)
  await runCommand(directory, ['key', 'revoke', '--key', key])
  table.close()

  const [newest, oldest, ...rest] = await run('--company', String(ours))
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
  assert.deepEqual(newest, { time: time(today), media_id: 7, size: null, user_id: null, key: null, download_info: null })
  assert.deepEqual(oldest, {
    time: time(today - 89 * DAY),
    media_id: 7,
    size: '320px',
    user_id: 5,
    key,
    download_info: { purpose: 'print' },
  })
  assert.deepEqual(rest, [], 'nothing older than 90 days, and nothing of other companies')
  assert.deepEqual(await run('--company', String(ours), '--limit', '1'), [newest])
  assert.deepEqual(await run('--company', String(ours), '--since', new Date(today - 2 * DAY).toISOString().slice(0, 10)), [newest])

  const [titles, , row] = (await runCommand(directory, ['downloads', 'list', '--company', String(ours)])).out.split('\n')
  assert.match(titles!, /^TIME \(UTC\) +FILE +SIZE +USER +KEY +INFO$/)
  assert.match(row!, new RegExp(`^[-\\d]+ [:\\d]+ +7 +320px +5 +${key} +\\{"purpose":"print"\\}$`))
  const nothing = await runCommand(directory, ['downloads', 'list', '--company', String(await company('New'))])
  assert.deepEqual([nothing.code, nothing.out], [0, 'No file was downloaded.'])
})
