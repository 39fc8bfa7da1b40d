import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import { claimNext, renewLease } from '../../../shared/library/jobs/claim.ts'
import { listFailedJobs, MAX_FAILED, retryFailedJobs } from '../../../shared/library/jobs/failed.ts'
import { type Claimed, getJob, JobKind, type JobRecord, jobKey } from '../../../shared/library/jobs/job.ts'
import { type Cancelled, cancelJob, countFailed, listJobs, retryJob } from '../../../shared/library/jobs/operator.ts'
import { performJob } from '../../../shared/library/jobs/perform.ts'
import { ATTEMPTS, pauseAfter } from '../../../shared/library/jobs/retries.ts'
import { releaseJobs, reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { endRun, failAttempt, jobInHand } from '../../../shared/library/jobs/run.ts'
import { LEASE_HERE_MS, runHere } from '../../../shared/library/jobs/run-here.ts'
import { giveSlotBack, renewSlot } from '../../../shared/library/jobs/slots.ts'
import { failedUntil, stateOf } from '../../../shared/library/jobs/states.ts'
import { beginRun, isTurnFree } from '../../../shared/library/jobs/turns.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { traced, traceOf } from '../../../shared/log/trace.ts'
import { toCompanyId } from '../../../shared/vocabulary/ids.ts'
import { instead } from '../../support/instead.ts'
import { by } from '../../support/library.ts'
import { TestClock } from '../../support/test-clock.ts'

const kind = new JobKind<{ n: number }>('test-job')
const LEASE = 60_000

/** What jobs promise over each table. @param open a table of the test's own */
export function jobsContract(name: string, open: () => Promise<Table>): void {
  async function openJobs() {
    const table = await open()
    const clock = new TestClock()
    const jobs = { table, clock, by }
    return {
      ...jobs,
      jobs,
      ask: (subject: string, { company = 1, n = 1, ...more }: { company?: number; n?: number; at?: number; yields?: boolean } = {}) =>
        table.transact({ job: kind.ask(jobs, { companyId: toCompanyId(company), subject, input: { n }, ...more }) }),
      next: (after?: number) => claimNext(jobs, kind.name, after === undefined ? undefined : toCompanyId(after), LEASE),
      revive: () => reviveJobs(jobs, kind.name),
      read: (subject: string) => getJob(jobs, `test-job.${subject}`),
    }
  }
  const stateIn = (job: JobRecord | undefined) => job && stateOf(job)

  describe(`jobs: ${name}`, () => {
    test('a job that was asked for is claimed once, and is gone once it is done', async () => {
      const { jobs, ask, next, read } = await openJobs()
      await ask('a', { n: 7 })
      const job = (await next())!
      assert.deepEqual(job.input, { n: 7 })
      assert.equal(job.attempts, 1)
      assert.equal(await next(), undefined)
      assert.equal(stateIn(await read('a')), 'running')
      await endRun(jobs, job, undefined)
      assert.equal(await read('a'), undefined)
    })

    test('a job that runs in the process that asks for it runs there once at a time, and is gone then', async () => {
      const { jobs, next, read } = await openJobs()
      const here = (work: () => Promise<string>, ms = 60_000) =>
        runHere(jobs, kind, { companyId: toCompanyId(1), subject: 'a', input: { n: 1 } }, work, ms)
      const done = await here(async () => {
        assert.equal(stateIn(await read('a')), 'running')
        assert.equal(await here(async () => 'twice'), undefined)
        assert.equal(await next(), undefined)
        return 'once'
      })
      assert.deepEqual([done, await read('a')], ['once', undefined])
    })

    test('a job that fails or takes too long in such a process waits for a run', async () => {
      const { jobs, clock, next, read, revive } = await openJobs()
      const here = (work: () => Promise<unknown>, ms = 60_000) =>
        runHere({ ...jobs, clock: clock.stopped }, kind, { companyId: toCompanyId(1), subject: 'a', input: { n: 1 } }, work, ms)
      await assert.rejects(
        here(() => Promise.reject(new TypeError('wrong'))),
        TypeError,
      )
      assert.equal(stateIn(await read('a')), 'later')
      assert.equal(await here(async () => 'again'), 'again')
      const going = Promise.withResolvers<void>()
      assert.equal(await here(() => going.promise, 10), undefined)
      const job = (await next())!
      going.resolve()
      assert.equal(stateIn(await read('a')), 'running')
      await endRun(jobs, job, undefined)
      for (const cutOff of [0, 1, 2]) {
        void here(() => new Promise(() => undefined), Number.POSITIVE_INFINITY)
        while (stateIn(await read('a')) !== 'running' || ((await read('a'))!.cutOff ?? 0) < cutOff) await clock.sleep(1)
        assert.equal((await read('a'))!.cutOff ?? 0, cutOff)
        clock.advance(LEASE_HERE_MS / 1_000 + 1)
      }
      await revive()
      assert.equal((await read('a'))?.cutOff, 3)
    })

    test('a job that is asked for twice runs once, with the later input', async () => {
      const { jobs, ask, next } = await openJobs()
      await ask('a', { n: 1 })
      await ask('a', { n: 2 })
      const job = (await next())!
      assert.deepEqual(job.input, { n: 2 })
      await endRun(jobs, job, undefined)
      assert.equal(await next(), undefined)
    })

    test('a job follows from the request that asked for it last', async () => {
      const { ask, read } = await openJobs()
      const trace = traceOf('request', undefined)
      await traced(trace, () => ask('a'))
      assert.deepEqual((await read('a'))?.trace, trace)
      await ask('a')
      assert.equal((await read('a'))?.trace, undefined)
    })

    test('a job that is asked for while it runs runs again after that run, from the beginning', async () => {
      const { jobs, table, ask, next, read } = await openJobs()
      await ask('a', { n: 1 })
      const job = (await next())!
      await table.transact({ slice: jobInHand(job).noting({ cursor: 5 }) })
      await ask('a', { n: 2 })
      assert.equal(await next(), undefined)
      assert.equal(stateIn(await read('a')), 'running', 'the end of the run sees to it')
      await assert.rejects(table.transact({ slice: jobInHand(job).noting({ cursor: 6 }) }))
      await endRun(jobs, job, undefined)
      const again = (await next())!
      assert.deepEqual([again.input, again.cursor], [{ n: 2 }, undefined])
      assert.ok(again.token > job.token)
    })

    test('a run that fails rests before it is tried again, unless its process stops', async () => {
      const { jobs, ask, next, read } = await openJobs()
      const perform = async (isStopping?: () => boolean) =>
        performJob({ ...jobs, log: jsonLog(() => {}) }, (await next())!, () => Promise.reject(new Error('x'.repeat(1_000))), isStopping)
      await ask('a')
      await perform(() => true)
      assert.equal(stateIn(await read('a')), 'waiting')
      await perform()
      const failed = (await read('a'))!
      assert.deepEqual([stateIn(failed), failed.lastError!.length], ['later', 500])
    })

    test('companies take turns, however much one has waiting, and each in the order of its jobs', async () => {
      const { ask, next, clock } = await openJobs()
      for (let n = 0; n < 12; n++) {
        await ask(`large-${n}`, { company: 7 })
        clock.advance(1)
      }
      await ask('small', { company: 9 })
      await ask('catalogue', { company: 0 })
      const turns: string[] = []
      let last: number | undefined
      for (let n = 0; n < 5; n++) {
        const job: Claimed = (await next(last))!
        turns.push(job.subject)
        last = job.companyId
      }
      assert.deepEqual(turns, ['catalogue', 'large-0', 'small', 'large-1', 'large-2'])
    })

    test('a job that yields waits behind all others of its company, also when it runs again, and behind none of another company', async () => {
      const { jobs, ask, next, clock } = await openJobs()
      await ask('stranger', { yields: true })
      clock.advance(1)
      await ask('member')
      await ask('other', { company: 2 })
      const member = (await next())!
      const stranger = (await next())!
      assert.deepEqual([member.subject, stranger.subject], ['member', 'stranger'])
      await endRun(jobs, stranger, {})
      clock.advance(1)
      await endRun(jobs, member, {})
      assert.equal((await next(1))!.subject, 'other')
      assert.deepEqual([(await next())!.subject, (await next())!.subject], ['member', 'stranger'])
    })

    test('a job that is to run later waits from its time on', async () => {
      const { ask, next, revive, clock } = await openJobs()
      const at = clock.now() + 86_400_000
      await ask('undo', { at })
      assert.equal(await revive(), at)
      assert.equal(await next(), undefined)
      clock.advance(86_400)
      assert.equal(await revive(), undefined)
      assert.equal((await next())?.subject, 'undo')
    })

    test('a job that is asked for later while it runs runs again at that time, whatever becomes of the run', async () => {
      const { jobs, ask, next, revive, clock } = await openJobs()
      for (const end of ['done', 'again', 'fails', 'dies', 'killed'] as const) {
        await ask(end, { n: 1 })
        const job = (await next())!
        const at = clock.now() + 86_400_000
        await ask(end, { n: 2, at })
        assert.equal(await renewLease(jobs, job, LEASE), true)
        if (end === 'done') await endRun(jobs, job, undefined)
        else if (end === 'again') await endRun(jobs, job, { cursor: 7 })
        else if (end === 'fails') await failAttempt(jobs, job, new Error('failed'))
        else if (end === 'killed') await releaseJobs(jobs, kind.name)
        else {
          clock.advance(LEASE / 1_000 + 1)
          await revive()
        }
        assert.equal(await next(), undefined)
        assert.equal(await revive(), at, end)
        clock.ms = at
        await revive()
        const again = (await next())!
        assert.deepEqual([again.subject, again.input, again.cursor], [end, { n: 2 }, undefined])
        await failAttempt(jobs, again, new Error('failed'))
        assert.equal(await revive(), clock.now() + pauseAfter(1))
        clock.advance(pauseAfter(1) / 1_000)
        await revive()
        await endRun(jobs, (await next())!, undefined)
      }
    })

    test('a run that died without a word is followed by another one, and can end nothing any more', async () => {
      const { jobs, ask, next, revive, clock, read } = await openJobs()
      await ask('a')
      const dead = (await next())!
      clock.advance(LEASE / 1_000 + 1)
      await revive()
      assert.equal(await next(), undefined)
      clock.advance(pauseAfter(1) / 1_000)
      await revive()
      const job = (await next())!
      assert.equal(job.attempts, 2)
      assert.ok(job.token > dead.token)
      assert.equal(await renewLease(jobs, dead, LEASE), false)
      await assert.rejects(endRun(jobs, dead, undefined))
      await failAttempt(jobs, dead, new Error('late'))
      assert.equal(stateIn(await read('a')), 'running')
      await endRun(jobs, job, undefined)
    })

    test('a job that fails is tried again for a quarter of an hour, then it counts as failed and is tried every hour', async () => {
      const { jobs, table, ask, next, revive, clock, read } = await openJobs()
      await ask('a')
      const began = clock.now()
      for (let attempt = 1; ; attempt++) {
        const job = (await next())!
        assert.equal(jobInHand(job).isLastAttempt, attempt >= ATTEMPTS)
        await failAttempt(jobs, job, new TypeError(`attempt ${attempt}`))
        if (stateIn(await read('a')) === 'failed') break
        clock.ms = (await revive())!
        await revive()
      }
      assert.ok(clock.now() - began >= 15 * 60_000)
      assert.equal((await read('a'))?.lastError, `TypeError: attempt ${ATTEMPTS}`)
      assert.deepEqual(await countFailed({ table }), new Map([['test-job', 1]]))
      clock.advance(3_599)
      await revive()
      assert.equal(await next(), undefined)
      clock.advance(1)
      await revive()
      await endRun(jobs, (await next())!, undefined)
      assert.deepEqual(await countFailed({ table }), new Map())
    })

    test('a slice and what is noted of it happen together, and the next run goes on from there with all attempts', async () => {
      const { jobs, table, ask, next, revive, clock } = await openJobs()
      await ask('a')
      const job = (await next())!
      const slice = { put: { pk: 'SLICE', sk: '1' } }
      await table.transact({ slice, noting: jobInHand(job).noting({ cursor: { after: 1 }, done: 1, total: 3 }) })
      await failAttempt(jobs, job, new Error('cut off'))
      clock.advance(5)
      await revive()
      const second = jobInHand((await next())!)
      assert.deepEqual([second.cursor, second.done, second.total], [{ after: 1 }, 1, 3])
      await assert.rejects(
        table.transact({ slice: { put: { pk: 'SLICE', sk: '2' } }, noting: jobInHand(job).noting({ cursor: { after: 2 } }) }),
      )
      assert.equal(await table.get({ pk: 'SLICE', sk: '2' }), undefined)
    })

    test('a job that is not done runs again, at once or later, from where it was', async () => {
      const { jobs, ask, next, revive, clock } = await openJobs()
      await ask('a')
      await endRun(jobs, (await next())!, { cursor: 3 })
      const second = (await next())!
      assert.deepEqual([second.cursor, second.attempts], [3, 1])
      await endRun(jobs, second, { inSeconds: 10 })
      assert.equal(await next(), undefined)
      clock.advance(10)
      await revive()
      assert.equal((await next())?.cursor, 3)
    })

    test('an operator lists, retries and cancels', async () => {
      const { jobs, table, ask, next, clock } = await openJobs()
      await ask('waits', { company: 2 })
      await ask('later', { company: 2, at: clock.now() + 1_000 })
      const job = (await next())!
      const list = async (filter = {}) => (await listJobs({ table }, ['test-job', 'other'], filter)).map((each) => each.subject)
      assert.deepEqual(await list(), ['waits', 'later'])
      assert.deepEqual(await list({ state: 'later' }), ['later'])
      assert.deepEqual(await list({ companyId: toCompanyId(3) }), [])
      assert.equal(await retryJob(jobs, 'test-job.waits'), undefined)
      assert.equal(stateIn(await retryJob(jobs, 'test-job.later')), 'waiting')
      await cancelJob(jobs, 'test-job.waits')
      await assert.rejects(endRun(jobs, job, undefined))
      assert.deepEqual(await list(), ['later'])
      assert.equal(await cancelJob(jobs, 'test-job.waits'), undefined)
    })

    test('of the failed jobs of a company a hundred are listed, and those that are asked for are retried', async () => {
      const { jobs, table, ask, read, clock } = await openJobs()
      const fail = async (subject: string, company: number) => {
        await ask(subject, { company })
        await table.update(jobKey(`test-job.${subject}`), { set: failedUntil({ kind: kind.name }, clock.now() + 1_000) })
      }
      for (let n = 1; n <= MAX_FAILED; n++) await fail(`own ${n}`, 1)
      await fail('foreign', 2)
      const list = (company: number) => listFailedJobs({ table }, toCompanyId(company))
      assert.deepEqual(
        (await list(2)).jobs.map(({ subject }) => subject),
        ['foreign'],
      )
      assert.equal((await list(1)).jobs.length, MAX_FAILED)
      await fail('one more', 1)
      assert.equal((await list(1)).jobs.length, MAX_FAILED)
      assert.equal((await list(1)).more, true)
      await ask('waits')
      const ids = ['own 1', 'foreign', 'waits', 'unknown'].map((subject) => `test-job.${subject}`)
      assert.deepEqual(await retryFailedJobs(jobs, toCompanyId(1), ids), ['test-job.own 1'])
      assert.equal(stateIn(await read('own 1')), 'waiting')
      assert.equal(stateIn(await read('foreign')), 'failed')
    })

    test('what a server had when it was killed waits at once; what killed it too often counts as failed', async () => {
      const { jobs, ask, next, read } = await openJobs()
      await ask('a')
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        assert.equal((await next())?.attempts, attempt)
        await releaseJobs(jobs, kind.name)
      }
      assert.equal(await next(), undefined)
      assert.equal(stateIn(await read('a')), 'failed')
    })

    test('what a killed server had waits at once, and without its lease, where it was asked for meanwhile', async () => {
      const { jobs, ask, next, read } = await openJobs()
      await ask('a', { n: 1 })
      assert.ok(await next())
      await ask('a', { n: 2 })
      await releaseJobs(jobs, kind.name)
      assert.equal(stateIn(await read('a')), 'waiting')
      assert.deepEqual((await next())?.input, { n: 2 })
    })

    test('a job that an operator retries before its time waits for no other one', async () => {
      const { jobs, ask, next, revive, clock } = await openJobs()
      await ask('a', { at: clock.now() + 86_400_000 })
      await retryJob(jobs, 'test-job.a')
      await failAttempt(jobs, (await next())!, new Error('failed'))
      assert.equal(await revive(), clock.now() + pauseAfter(1))
    })

    test('what cancelling a job means for its kind happens in the same transaction', async () => {
      const { jobs, table, ask, read } = await openJobs()
      const ended = (n: number) => ({ pk: 'ENDED', sk: String(n) })
      const cancelled: Cancelled = async (_, input) => {
        const { n } = input as { n: number }
        // Somebody asks for it with other input meanwhile.
        if (n === 1) await ask('a', { n: 2 })
        return { ended: { put: ended(n) } }
      }
      await ask('a', { n: 1 })
      assert.deepEqual((await cancelJob(jobs, 'test-job.a', cancelled))?.input, { n: 2 })
      assert.equal(await read('a'), undefined)
      assert.equal(await table.get(ended(1)), undefined)
      assert.ok(await table.get(ended(2)))
      assert.equal(await cancelJob(jobs, 'test-job.a', cancelled), undefined)
      assert.equal(await retryJob(jobs, 'test-job.a'), undefined)
      await ask('a', { n: 3 })
      assert.equal(stateIn(await read('a')), 'waiting')
    })

    test('so many runs of a group have a slot, each with a job, and another one once its time is over or it is given back', async () => {
      const { jobs, ask, clock } = await openJobs()
      const begin = () => beginRun(jobs, { group: 'test', runs: 2, kinds: new Map([[kind.name, 2]]) }, LEASE)
      for (const subject of ['a', 'b', 'c', 'd', 'e']) {
        await ask(subject)
        clock.advance(0.001)
      }
      const [first, second] = [await begin(), await begin()]
      assert.deepEqual([first?.job?.subject, second?.job?.subject], ['a', 'b'])
      assert.deepEqual([first?.isMore, second?.isMore], [true, false], 'a third run would find no slot')
      assert.equal(await begin(), undefined)
      await giveSlotBack(jobs, first!.slot)
      assert.ok(await begin())
      clock.advance(59)
      assert.equal(await renewSlot(jobs, second!.slot, LEASE), true)
      clock.advance(2)
      const third = (await begin())!
      assert.equal(third.slot.sk, first!.slot.sk)
      assert.equal(await begin(), undefined)
      clock.advance(59)
      assert.ok(await begin())
      assert.equal(await renewSlot(jobs, second!.slot, LEASE), false)
      await giveSlotBack(jobs, second!.slot)
      await giveSlotBack(jobs, first!.slot)
      assert.equal(await begin(), undefined, 'nobody gives back what another run has')
    })

    test('runs that begin at the same time take different jobs, in turn, and no more of a kind than there may be', async () => {
      const { jobs, ask, clock } = await openJobs()
      const single = new JobKind<null>('single')
      for (const subject of ['x', 'y', 'z']) {
        clock.advance(0.001)
        await jobs.table.transact({ job: single.ask(jobs, { companyId: toCompanyId(1), subject, input: null }) })
        await ask(subject, { company: subject.charCodeAt(0) })
      }
      const runs = {
        ...{ group: 'test', runs: 4 },
        kinds: new Map([
          [kind.name, 3],
          [single.name, 1],
        ]),
      }
      const begun = await Promise.all(Array.from({ length: 6 }, () => beginRun(jobs, runs, LEASE)))
      const taken = begun.flatMap((each) => (each?.job ? [`${each.job.kind}.${each.job.subject}`] : [])).sort()
      assert.deepEqual(taken, ['single.x', 'test-job.x', 'test-job.y', 'test-job.z'])
    })

    test('a company has no more runs than it may of all kinds, also where they begin at the same time, and others have the rest', async () => {
      const { jobs, ask, clock } = await openJobs()
      const other = new JobKind<null>('other')
      for (const subject of ['x', 'y', 'z']) {
        clock.advance(0.001)
        await jobs.table.transact({ job: other.ask(jobs, { companyId: toCompanyId(1), subject, input: null }) })
        await ask(subject, { company: 1 })
      }
      const runs = { group: 'test', runs: 4, perCompany: 2, kinds: new Map([kind, other].map(({ name }) => [name, 4])) }
      const begin = async (count: number) => {
        const begun = await Promise.all(Array.from({ length: count }, () => beginRun(jobs, runs, LEASE)))
        return begun.flatMap((each) => (each?.job ? [each] : []))
      }
      const [first, ...more] = await begin(4)
      assert.equal(more.length, 1)
      assert.equal(await isTurnFree(jobs, runs), false)
      await ask('of another', { company: 2 })
      assert.equal(await isTurnFree(jobs, runs), true)
      assert.deepEqual(
        (await begin(2)).map(({ job }) => job?.subject),
        ['of another'],
      )
      await giveSlotBack(jobs, first!.slot)
      assert.deepEqual(
        (await begin(2)).map(({ job }) => job?.companyId),
        [1],
      )
    })

    test('a job whose revival fails keeps no other from being revived', async () => {
      const { jobs, ask, read, clock } = await openJobs()
      for (const subject of ['bad', 'good']) await ask(subject, { at: clock.now() + 1_000 })
      clock.advance(2)
      const failing: Table = instead(jobs.table, {
        update: async (key, ...changes) => {
          if (key.pk.endsWith('bad')) throw new Error('refused')
          return jobs.table.update(key, ...changes)
        },
      })
      await assert.rejects(reviveJobs({ ...jobs, table: failing }), AggregateError)
      assert.deepEqual([stateIn(await read('bad')), stateIn(await read('good'))], ['later', 'waiting'])
    })
  })
}
