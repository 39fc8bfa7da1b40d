import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { wakeJobs } from '../../functions/events/wake-jobs.ts'
import type { Query, Table } from '../../shared/backends/table/port.ts'
import { getJob, JobKind, jobKey } from '../../shared/library/jobs/job.ts'
import { FAILED_JOBS } from '../../shared/library/jobs/operator.ts'
import { failedUntil, stateOf } from '../../shared/library/jobs/states.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { instead } from '../support/instead.ts'
import { by, openTestTable } from '../support/library.ts'
import { TestClock } from '../support/test-clock.ts'

/** Kinds with the group of each. */
const groups = new Map([
  ['mail', 'short'],
  ['links', 'short'],
  ['bad', 'short'],
  ['zip', 'long'],
  ['import', 'import'],
])

function setUp() {
  const clock = new TestClock()
  const { table } = openTestTable(clock)
  const woken: string[] = []
  const waker = {
    // Each run looks at every second one.
    kinds: [...groups.keys()].flatMap((kind) => [kind, kind]),
    groupOf: (kind: string) => groups.get(kind)!,
    async wake(group: string): Promise<void> {
      woken.push(group)
    },
  }
  const logged: string[] = []
  const log = jsonLog((line) => logged.push(JSON.parse(line).message))
  const run = (more: { table?: Table; waker?: typeof waker } = {}) =>
    wakeJobs.handle({
      ...{ table, waker, clock, log, settings: { ...defaultSettings, playerUrl: '', cdnUrl: '' } },
      ...{ by: { kind: 'job', job: 'wake-jobs', run: '1' }, ...more },
    })
  const ask = (kind: string, at = 0) =>
    table.transact({ job: new JobKind<null>(kind).ask({ clock, by }, { companyId: toCompanyId(1), subject: 'a', input: null, at }) })
  const state = async (kind: string) => stateOf((await getJob({ table }, `${kind}.a`))!)
  return { clock, table, woken, waker, logged, run, ask, state }
}

/** A table with an index that can't be read in one partition. */
const without = (table: Table, pk: string): Table =>
  instead(table, {
    query: async (query: Query) => {
      if (query.pk === pk) throw new Error(`${pk} can't be read`)
      return table.query(query) as never
    },
  })

describe('each minute', () => {
  test('half of the kinds are looked at, so within two all of them', async () => {
    const { run, ask, woken, waker, clock } = setUp()
    for (const kind of groups.keys()) await ask(kind)
    const each = { ...waker, kinds: [...groups.keys()], groupOf: (kind: string) => kind }
    await run({ waker: each })
    assert.ok(woken.length < groups.size)
    clock.advance(60)
    await run({ waker: each })
    assert.deepEqual(woken.sort(), [...groups.keys()].sort())
  })

  test('each function is woken once of whose kinds a job waits, and jobs wait that are due', async () => {
    const { run, ask, woken, state, clock } = setUp()
    await ask('mail')
    await ask('links')
    await ask('import')
    await ask('zip', clock.now() + 1_000)
    await run()
    assert.deepEqual(woken.sort(), ['import', 'short'])
    assert.equal(await state('zip'), 'later')
    clock.advance(2)
    await run()
    assert.equal(await state('zip'), 'waiting')
  })

  test('a kind that can not be looked at, and a function that can not be woken, keep no other from it; the run fails in the end', async () => {
    const { run, ask, woken, waker, table, logged, state, clock } = setUp()
    await ask('mail')
    await ask('import')
    await ask('zip', clock.now() + 1_000)
    await ask('bad')
    await table.update(jobKey('bad.a'), { set: failedUntil({ kind: 'bad' }, clock.now() + 3_600_000) })
    clock.advance(2)
    const wake = async (group: string) => {
      if (group === 'import') throw new Error('there is no such function')
      woken.push(group)
    }
    await assert.rejects(run({ table: without(table, 'WAITING#links'), waker: { ...waker, wake } }), (error: AggregateError) => {
      assert.deepEqual(error.errors.map(({ message }) => message).sort(), ["WAITING#links can't be read", 'there is no such function'])
      return true
    })
    assert.deepEqual([woken, logged, await state('zip')], [['short'], [FAILED_JOBS], 'waiting'])
  })

  test('an idle look takes five queries, and one for each kind', async () => {
    const { run, table } = setUp()
    const queries: string[] = []
    const counted = instead(table, {
      query: async (query: Query) => {
        queries.push(query.pk)
        return table.query(query) as never
      },
    })
    await run({ table: counted })
    queries.length = 0
    await run({ table: counted })
    assert.deepEqual(queries.filter((pk) => pk.startsWith('WAITING#')).length, groups.size)
    assert.ok(queries.length - groups.size <= 5, queries.join(' '))
  })
})
