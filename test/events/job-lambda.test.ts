import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, test } from 'vitest'
import type { Table } from '../../shared/backends/table/port.ts'
import { timeLeft } from '../../shared/deadline.ts'
import { JobKind } from '../../shared/library/jobs/job.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { jobHandler } from '../../shared/runtime/job-lambda.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { by, openTestTable } from '../support/library.ts'
import { TestClock } from '../support/test-clock.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

const kind = new JobKind<{ n: number }>('test-job')
const clock = new TestClock()

/** A table whose process is killed: nothing more arrives. */
function killable(table: Table) {
  let isDead = false
  const proxy = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...input: unknown[]) => (isDead ? new Promise(() => {}) : Reflect.apply(value, target, input))
    },
  })
  return { table: proxy, kill: () => (isDead = true) }
}

/** Jobs a and b of a kind that declares two runs, and runs of which each ends when the test says so. */
async function setUp() {
  const { table } = openTestTable(clock)
  for (const subject of ['a', 'b']) {
    await table.transact({ job: kind.ask({ clock, by }, { companyId: toCompanyId(1), subject, input: { n: 1 } }) })
  }
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const declared = job({
    ...{ kind, summary: 'Of a test', uses: {}, seconds: 900, runs: 2 },
    async run({ job: { jobId } }) {
      begun.push(jobId)
      await new Promise<void>((end) => ends.set(jobId, end))
      return undefined
    },
  })
  const run = (runs: number, on: Table = table) =>
    jobHandler(kind.name, { [kind.name]: declared }, {}, { table: on, wakeNext: async () => {}, runs, clock })()
  /** Time passes, and whatever was to happen in it has. */
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 10) {
      clock.advance(10)
      for (let turn = 0; turn < 20; turn++) await nextTurn()
    }
  }
  const isBegun = async (count: number) => {
    while (begun.length < count) await nextTurn()
  }
  return { table, run, begun, ends, pass, isBegun }
}

describe('runs of a kind of job', () => {
  test('are as many at a time as the deployment says', async () => {
    const { run, begun, ends, isBegun } = await setUp()
    const first = run(1)
    await isBegun(1)
    await run(1)
    assert.equal(begun.length, 1)
    const second = run(2)
    await isBegun(2)
    for (const end of ends.values()) end()
    await Promise.all([first, second])
    assert.deepEqual(begun.sort(), ['test-job.a', 'test-job.b'])
  })

  test('keep their places for as long as they take', async () => {
    const { run, begun, ends, pass, isBegun } = await setUp()
    const first = run(1)
    await isBegun(1)
    await pass(600)
    await run(1)
    assert.equal(begun.length, 1)
    ends.get(begun[0]!)!()
    await first
    const second = run(1)
    await isBegun(2)
    ends.get(begun[1]!)!()
    await second
  })

  test('have some seconds less than their function, in which they can end by themselves', async () => {
    const { table } = await setUp()
    let left = Number.POSITIVE_INFINITY
    const declared = job({
      ...{ kind, summary: 'Of a test', uses: {}, seconds: 900 },
      async run() {
        left = timeLeft()
        return undefined
      },
    })
    await jobHandler(kind.name, { [kind.name]: declared }, {}, { table, wakeNext: async () => {}, runs: 1 })()
    assert.ok(left > 600_000 && left <= 890_000, `${left} ms`)
  })

  test('leave their places two minutes after they are killed, together with their jobs', async () => {
    const { table, run, begun, ends, pass, isBegun } = await setUp()
    const process = killable(table)
    void run(1, process.table)
    await isBegun(1)
    process.kill()
    await pass(110)
    await run(1)
    assert.equal(begun.length, 1)
    await pass(20)
    await reviveJobs({ table, clock }, kind.name)
    const second = run(1)
    await isBegun(2)
    ends.get(begun[1]!)!()
    await second
  })
})
