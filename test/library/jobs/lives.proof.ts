import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { ConditionFailed, type Table } from '../../../shared/backends/table/port.ts'
import { claimNext, renewLease } from '../../../shared/library/jobs/claim.ts'
import { type Claimed, getJob, JobKind } from '../../../shared/library/jobs/job.ts'
import { LeaseLost } from '../../../shared/library/jobs/lease.ts'
import { performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { endRun, failAttempt, jobInHand } from '../../../shared/library/jobs/run.ts'
import { toCompanyId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { by, openTestTable } from '../../support/library.ts'
import { TestClock } from '../../support/test-clock.ts'

const log = { info() {}, warn() {}, error() {}, with: () => log }
const LEASE = 60_000
/** Slices of a job: each is to be done once for each time that the job was asked for. */
const SLICES = 3

type Ask = { ask: number }

/** Does the next slice of a job, with the note of it in one transaction. @returns whether it was the last one */
async function doSlice(table: Table, kind: string, job: Claimed): Promise<boolean> {
  const { ask } = job.input as Ask
  const done = (job.cursor as number | undefined) ?? 0
  if (done >= SLICES) return true
  const slice = { put: { pk: `SLICES#${kind}`, sk: `${ask}.${done}` }, if: { pk: { exists: false } } }
  try {
    await table.transact({ slice, noting: jobInHand(job).noting({ cursor: done + 1, done: done + 1, total: SLICES }) })
  } catch (error) {
    assert.ok(!(error instanceof ConditionFailed && error.failed('slice') && !error.failed('noting')), 'a slice is done twice')
    throw error
  }
  job.cursor = done + 1
  return done + 1 === SLICES
}

const worker = fc.integer({ min: 0, max: 2 })
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ does: fc.constant('ask' as const), inSeconds: fc.constantFrom(0, 0, 45, 3_600) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('claim' as const), worker }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('slice' as const), worker }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('renew' as const, 'fail' as const, 'die' as const, 'again' as const), worker }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), seconds: fc.constantFrom(1, 5, 30, 61, 400) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('revive' as const), worker }) },
)

describe('jobs live through', () => {
  test('any number of workers, with clocks apart, that fail, die and come late, and being asked for at any time: 1,000 lives', async () => {
    const { table } = openTestTable()
    let life = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.array(fc.integer({ min: -90, max: 90 }), { minLength: 3, maxLength: 3 }),
        async (steps, skews) => {
          const kind = new JobKind<Ask>(`life-${++life}`)
          const clock = new TestClock()
          const workers = skews.map((skew) => ({ table, clock: { ...systemClock, now: () => clock.now() + skew * 1_000 } }))
          const inHand: (Claimed | undefined)[] = []
          let asks = 0
          const ask = (inSeconds: number) => {
            const at = clock.now() + inSeconds * 1_000
            const job = kind.ask({ clock, by }, { companyId: toCompanyId(1), subject: 'a', input: { ask: ++asks }, at })
            return table.transact({ job })
          }
          /** A run that lost its job is told so, and is nothing else. */
          const unlessLost = (write: Promise<unknown>) =>
            write.catch((error: unknown) => assert.ok(error instanceof LeaseLost || error instanceof ConditionFailed))

          await ask(0)
          for (const each of steps) {
            if (each.does === 'ask') await ask(each.inSeconds)
            else if (each.does === 'wait') clock.advance(each.seconds)
            else {
              const jobs = workers[each.worker]!
              const job = inHand[each.worker]
              if (each.does === 'revive') await reviveJobs(jobs, kind.name)
              else if (each.does === 'claim') inHand[each.worker] ??= await claimNext(jobs, kind.name, undefined, LEASE)
              else if (!job) continue
              else if (each.does === 'renew') await renewLease(jobs, job, LEASE)
              else if (each.does === 'slice') {
                let isLast = false
                await unlessLost(doSlice(table, kind.name, job).then((last) => (isLast = last)))
                if (!isLast) continue
                await unlessLost(endRun(jobs, job, undefined))
                inHand[each.worker] = undefined
              } else {
                if (each.does === 'fail') await failAttempt(jobs, job, new Error('failed'))
                if (each.does === 'again') await unlessLost(endRun(jobs, job, { inSeconds: 1 }))
                inHand[each.worker] = undefined
              }
            }
          }

          // All others are gone: one worker, after a while, ends what there is.
          const jobs = { table, clock, log }
          for (let rounds = 0; await getJob(jobs, `${kind.name}.a`); rounds++) {
            assert.ok(rounds < 20, 'the job never ends')
            clock.advance(3_700)
            await reviveJobs(jobs, kind.name)
            const job = await claimNext(jobs, kind.name, undefined, LEASE)
            if (job) {
              await performJob(jobs, job, async () => {
                while (!(await doSlice(table, kind.name, job)));
                return undefined
              })
            }
          }
          const { items } = await table.query({ pk: `SLICES#${kind.name}`, sk: { beginsWith: `${asks}.` } })
          assert.equal(items.length, SLICES, 'all that was asked for last is done')
        },
      ),
      { numRuns: 1_500 },
    )
  })

  test('the end of the process before and after each call of a run', async () => {
    const { table } = openTestTable()
    for (const when of ['before', 'after'] as const) {
      for (let call = 1, isOver = false; !isOver; call++) {
        const kind = new JobKind<Ask>(`crash-${when}-${call}`)
        const clock = new TestClock()
        await table.transact({ job: kind.ask({ clock, by }, { companyId: toCompanyId(1), subject: 'a', input: { ask: 1 } }) })
        const faults = new Faults(call, when)
        const dying = faults.in(table)
        /** A run from the claim to its end, as a process does it. */
        const live = async (on: Table) => {
          const jobs = { table: on, clock, log }
          await reviveJobs(jobs, kind.name)
          const job = await claimNext(jobs, kind.name, undefined, LEASE)
          if (!job) return
          await performJob(jobs, job, async () => {
            while (!(await doSlice(on, kind.name, job)));
            return undefined
          })
        }
        await unlessEnded(live(dying))
        isOver = !faults.hasFailed
        for (let rounds = 0; rounds < 3; rounds++) {
          clock.advance(400)
          await live(table)
        }
        assert.equal(await getJob({ table }, `${kind.name}.a`), undefined)
        assert.equal((await table.query({ pk: `SLICES#${kind.name}` })).items.length, SLICES)
      }
    }
  })
})
