import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { JobKind } from '../../shared/library/jobs/job.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { openLambdaJobs } from '../support/lambda-jobs.ts'
import { TestClock } from '../support/test-clock.ts'

/** Seconds of a job, and of a step of the tests. */
const [LONG, STEP] = [60, 10]

/** Kinds `bulk`, `mail` and `single`, and what of them has begun and ended. @param seconds that each job takes */
function setUp(runs: number, seconds = LONG) {
  const clock = new TestClock()
  const kinds = { bulk: new JobKind<null>('bulk'), mail: new JobKind<null>('mail'), single: new JobKind<null>('single') }
  const running = new Set<string>()
  const begun: string[] = []
  const work = (kind: JobKind<null>, runs: number) =>
    job({
      ...{ kind, summary: 'Of a test', uses: {}, seconds: 900, runs, group: 'short-jobs' },
      async run({ job: { jobId }, clock }) {
        begun.push(jobId)
        running.add(jobId)
        if (seconds > 0) await clock.sleep(seconds * 1_000)
        running.delete(jobId)
        return undefined
      },
    })
  const table = { bulk: work(kinds.bulk, 10), mail: work(kinds.mail, 10), single: work(kinds.single, 1) }
  const lambda = openLambdaJobs(table, runs, clock)
  let asked = 0
  async function ask(kind: keyof typeof kinds, { company = 1, count = 1 } = {}): Promise<void> {
    for (let left = count; left > 0; left -= 100) {
      const steps = Array.from({ length: Math.min(left, 100) }, () => {
        const wanted = { companyId: toCompanyId(company), subject: `${company}-${++asked}`, input: null }
        return [wanted.subject, kinds[kind].ask(lambda.jobs, wanted)]
      })
      await lambda.table.transact(Object.fromEntries(steps))
    }
  }
  async function pass(seconds: number, each: () => Promise<unknown> = async () => {}): Promise<void> {
    for (let passed = 0; passed < seconds; passed += STEP) {
      await each()
      clock.advance(STEP)
      await lambda.settle()
    }
  }
  const isOf = (company: number) => (jobId: string) => jobId.split('.')[1]!.startsWith(`${company}-`)
  return { ...lambda, clock, ask, pass, running, begun, isOf }
}

describe('runs of a group of kinds', () => {
  test('are as many as there are slots as soon as so many jobs wait, whoever woke one of them', async () => {
    const { ask, invoke, settle, running } = setUp(5)
    await ask('bulk', { count: 50 })
    await ask('mail')
    invoke()
    await settle()
    assert.equal(running.size, 5)
  })

  test('take the job of another company within the time of one, while thousands of one company wait and more come', async () => {
    const { ask, follow, pass, begun, isOf, later } = setUp(2)
    await ask('bulk', { company: 1, count: 3_000 })
    await follow()
    await pass(LONG)
    await ask('bulk', { company: 2 })
    // Wake-ups of start-jobs come before those of runs that have ended, every time.
    later.isOn = true
    await pass(LONG + STEP, async () => {
      await ask('bulk', { company: 1, count: 10 })
      await follow()
    })
    assert.equal(begun.filter(isOf(2)).length, 1)
  })

  test('take turns of kinds, and of the companies of each', async () => {
    const { ask, invoke, pass, begun } = setUp(1)
    await ask('bulk', { company: 1, count: 4 })
    await ask('bulk', { company: 2, count: 4 })
    await ask('mail', { company: 1, count: 3 })
    await ask('single', { company: 3 })
    invoke()
    await pass(8 * LONG)
    const turns = begun.slice(0, 8).map((jobId) => jobId.split('-')[0])
    assert.deepEqual(turns, ['bulk.1', 'mail.1', 'single.3', 'bulk.2', 'mail.1', 'bulk.1', 'mail.1', 'bulk.2'])
  })

  test('are no more of a kind than it declares, leave one slot to other kinds, and wake nobody for what may not run yet', async () => {
    const { ask, invoke, settle, pass, running, counts } = setUp(4)
    const most = { bulk: 0, single: 0 }
    const look = async () => {
      for (const kind of ['bulk', 'single'] as const) {
        most[kind] = Math.max(most[kind], [...running].filter((jobId) => jobId.startsWith(kind)).length)
      }
    }
    await ask('bulk', { count: 12 })
    await ask('single', { count: 5 })
    for (let n = 0; n < 4; n++) invoke()
    await settle()
    await look()
    assert.deepEqual(most, { bulk: 3, single: 1 })
    const woken = counts.invocations
    await pass(LONG - STEP, look)
    assert.equal(counts.invocations, woken)
    await pass(5 * LONG, look)
    assert.deepEqual([most, running.size], [{ bulk: 3, single: 1 }, 0])
  })

  test('begin for a job that comes within a second of a wake-up, though the run that was woken has looked and ended', async () => {
    const { ask, follow, settle, clock, counts, begun } = setUp(2, 0)
    await ask('mail')
    await follow()
    await settle()
    const { invocations } = counts
    clock.ms += 300
    await ask('mail', { company: 2 })
    const following = follow()
    await settle()
    assert.deepEqual([begun.length, counts.invocations], [1, invocations], 'not woken twice within a second')
    clock.ms += 700
    await following
    await settle()
    assert.equal(begun.length, 2)
  })
})
