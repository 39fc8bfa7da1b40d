import assert from 'node:assert/strict'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startJobs } from '../../../../functions/events/start-jobs.ts'
import { claimNext } from '../../../../shared/library/jobs/claim.ts'
import { getJob, JobKind } from '../../../../shared/library/jobs/job.ts'
import { LEASE_MS } from '../../../../shared/library/jobs/perform.ts'
import { job } from '../../../../shared/runtime/consumer.ts'
import { toCompanyId } from '../../../../shared/vocabulary/ids.ts'
import { by } from '../../../support/library.ts'
import { Background } from './background.ts'

const kind = new JobKind<{ n: number }>('note-things')

describe('jobs on one machine', () => {
  let background: Background
  let seen: string[]
  beforeEach(() => {
    background = new Background()
    seen = []
  })

  /** Starts a server whose jobs note what they are given. */
  async function start(run: (n: number, attempt: number) => Promise<void> = async () => {}) {
    const attempts = new Map<number, number>()
    const noteThings = job({
      kind,
      summary: 'Notes things',
      uses: { table: 'write' },
      seconds: 5,
      runs: 1,
      async run({ input: { n }, job, table }) {
        const attempt = (attempts.get(n) ?? 0) + 1
        attempts.set(n, attempt)
        await run(n, attempt)
        seen.push(`${n} from ${job.done}`)
        if (n !== 10 || job.done === 2) return undefined
        await table.transact({ noting: job.noting({ done: job.done + 1, total: 2 }) })
        return {}
      },
    })
    const { table } = await background.start({ 'start-jobs': startJobs, 'note-things': noteThings })
    const { clock } = background
    const ask = (n: number, { company = 1, at }: { company?: number; at?: number } = {}) =>
      table.transact({
        job: kind.ask(
          { clock, by },
          { companyId: toCompanyId(company), subject: String(n), input: { n }, ...(at !== undefined && { at }) },
        ),
      })
    return { table, clock, ask, read: (n: number) => getJob({ table }, `note-things.${n}`) }
  }

  const sees = (expected: string[]) => vi.waitFor(() => expect(seen).toEqual(expected), { timeout: 60_000, interval: 20 })

  it('runs a job that a transaction asks for, slice by slice, until it is done', async () => {
    const { ask, read } = await start()
    await ask(10)
    await sees(['10 from 0', '10 from 1', '10 from 2'])
    await vi.waitFor(async () => assert.equal(await read(10), undefined), { timeout: 60_000 })
  })

  it('leaves half of the runs to other companies where its kind says so', async () => {
    const begun: number[] = []
    const waiting = Promise.withResolvers<void>()
    const waits = job({
      kind,
      summary: 'Waits',
      uses: {},
      seconds: 5,
      runs: 4,
      halfPerCompany: true,
      async run({ input: { n } }) {
        begun.push(n)
        await waiting.promise
        return undefined
      },
    })
    const { table } = await background.start({ 'start-jobs': startJobs, 'note-things': waits })
    const ask = (companyId: number, n: number) =>
      table.transact({
        job: kind.ask({ clock: background.clock, by }, { companyId: toCompanyId(companyId), subject: String(n), input: { n } }),
      })
    for (const n of [11, 12, 13]) await ask(1, n)
    for (const n of [21, 22, 23]) await ask(2, n)
    await vi.waitFor(() => expect(begun.toSorted()).toEqual([11, 12, 21, 22]), { timeout: 60_000, interval: 20 })
    waiting.resolve()
    await vi.waitFor(() => expect(begun.toSorted()).toEqual([11, 12, 13, 21, 22, 23]), { timeout: 60_000, interval: 20 })
  })

  it('begins with what a killed server had', async () => {
    const first = await start(() => new Promise(() => undefined))
    await first.ask(1)
    await vi.waitFor(async () => assert.ok((await first.read(1))?.owner), { timeout: 60_000 })
    await background.stop()
    const { table, clock } = await start()
    await sees(['1 from 0'])
    assert.equal(await claimNext({ table, clock }, kind.name, undefined, LEASE_MS), undefined)
  })
})
