import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { appendEvents } from '../../../../shared/library/feed/append.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { type CompanyId, toCompanyId, toFolderId, toKeyId, toMediaId, toUserId } from '../../../../shared/vocabulary/ids.ts'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

const DAY = 86_400_000

const directory = await temporaryLibrary()

test('all events of a company that are kept are exported, oldest first, a line each, with who did it', async () => {
  const company = async (name: string) => toCompanyId((await runJson(directory, ['company', 'create', '--name', name])).company_id)
  const [ours, others] = [await company('Ours'), await company('Others')]
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  onTestFinished(() => table.close())
  const today = Date.now()
  let told = 0
  const tellOf = async (companyId: CompanyId, daysAgo: number, names: readonly ('media.downloaded' | 'folder.renamed')[]) => {
    const library = {
      table,
      clock: { ...systemClock, now: () => today - daysAgo * DAY },
      log: jsonLog(() => undefined),
      settings: { eventDays: 90 },
    }
    const events = names.map((name) => {
      const of = { companyId, id: `change-${told++}` }
      if (name === 'folder.renamed') {
        const by = { kind: 'application', keyId: toKeyId(9), requestId: 'request-1', network: '192.0.2.0/24' } as const
        return { ...of, name, folderId: toFolderId(3), parent: null, by }
      }
      const by = { kind: 'user', userId: toUserId(5), requestId: 'request-2', network: '2001:db8::/48' } as const
      return { ...of, name, mediaId: toMediaId(7), folders: [], version: 2, by }
    })
    assert.deepEqual(await appendEvents(library, events), [])
  }
  const many = Array.from({ length: 1_200 }, () => 'folder.renamed' as const)
  await tellOf(ours, 91, ['media.downloaded'])
  await tellOf(ours, 89, ['media.downloaded', 'folder.renamed'])
  await tellOf(ours, 2, many)
  await tellOf(ours, 0, ['media.downloaded'])
  await tellOf(others, 0, ['media.downloaded'])

  const lines = async (...args: string[]) => {
    const { code, out, error } = await runCommand(directory, ['events', 'export', '--company', String(ours), ...args])
    assert.deepEqual([code, error], [0, ''])
    return out.split('\n')
  }
  const all = (await lines()).map((line) => JSON.parse(line))
  const numbers = Array.from({ length: many.length + 3 }, (_, n) => `${ours}-${n + 2}`)
  assert.deepEqual(
    all.map(({ id }) => id),
    numbers,
    'what has expired is left out, and what other companies did',
  )
  const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
  const created = time(today - 89 * DAY)
  const first = {
    id: numbers[0],
    type: 'media.downloaded',
    created,
    actor: { user_id: 5 },
    data: { media_id: 7, folder_ids: [], version: 2 },
    request_id: 'request-2',
    network: '2001:db8::/48',
  }
  assert.deepEqual(all[0], first)
  const since = new Date(today - 3 * DAY).toISOString().slice(0, 10)
  assert.deepEqual((await lines('--since', since, '--json')).length, many.length + 1)

  const [titles, ...rows] = await lines('--format', 'csv')
  assert.ok(titles!.startsWith('id,created,type,user_id,key_id,person_id,media_id,folder_ids,version,folder_id,parent,'), titles)
  assert.equal(rows.length, numbers.length)
  assert.ok(rows[0]!.startsWith(`${numbers[0]},${created},media.downloaded,5,,,7,,2,,,`), rows[0])
  assert.ok(rows[1]!.startsWith(`${numbers[1]},${created},folder.renamed,,9,,,,,3,,`), rows[1])
  assert.ok(rows[0]!.endsWith(',request-2,2001:db8::/48,') && rows[1]!.endsWith(',request-1,192.0.2.0/24,'), rows[1])
  for (const row of rows) assert.equal(row.split(',').length, titles!.split(',').length)

  assert.equal((await runCommand(directory, ['events', 'export', '--company', String(ours), '--format', 'xml'])).code, 2)
})
