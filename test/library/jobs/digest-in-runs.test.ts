import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { within } from '../../../shared/deadline.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { digestInRuns } from '../../../shared/library/jobs/digest-in-runs.ts'
import { JobKind } from '../../../shared/library/jobs/job.ts'
import { LeaseLost } from '../../../shared/library/jobs/lease.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { endRun, failAttempt, jobInHand } from '../../../shared/library/jobs/run.ts'
import { toCompanyId } from '../../../shared/vocabulary/ids.ts'
import { instead } from '../../support/instead.ts'
import { by, openTestObjects, openTestTable } from '../../support/library.ts'

const MiB = 1024 ** 2
const LEASE = 60_000
const bytes = randomBytes(40 * MiB)
const kind = new JobKind<{ n: number }>('test-job')

const digestOf = (bytes: Buffer) => ({ bytes: bytes.length, crc32: crc32(bytes), md5: createHash('md5').update(bytes).digest('hex') })

/** A job that digests an object of 40 MiB, and runs that have no time: each reads a piece of 16 MiB. */
async function setUp() {
  const { table, clock } = openTestTable()
  const objects = openTestObjects(clock)
  const put = async (bytes: Buffer) => objects.put('a', bytes, { contentType: 'text/plain' })
  await put(bytes)
  await table.transact({ job: kind.ask({ clock, by }, { companyId: toCompanyId(1), subject: 'a', input: { n: 1 } }) })
  const starts: number[] = []
  const reader = instead(objects, {
    get: (key, range) => {
      starts.push(range!.start / MiB)
      return objects.get(key, range)
    },
  })
  const jobs = { table, clock }
  const claim = async () => (await claimNext(jobs, kind.name, undefined, LEASE))!
  const digest = async (job: Awaited<ReturnType<typeof claim>>, from = reader) =>
    within(0, async () => digestInRuns({ table }, jobInHand(job))(from, (await objects.head('a'))!))
  /** One run, to its end. */
  const run = async () => {
    const job = await claim()
    const found = await digest(job)
    if (!found) await endRun(jobs, job, {})
    return found
  }
  return { table, clock, jobs, put, starts, reader, claim, digest, run }
}

describe('a digest that takes several runs', () => {
  test('is that of the whole object, of which every byte is needed once', async () => {
    const { run, starts, jobs } = await setUp()
    for (const done of [16, 32, 40]) {
      assert.equal(await run(), undefined)
      const { items } = await jobs.table.query<{ pk: string; sk: string; done?: number }>({ pk: 'JOB#test-job.a' })
      assert.equal(items[0]?.done, done * MiB)
    }
    starts.length = 0
    assert.deepEqual(await run(), digestOf(bytes))
    assert.deepEqual(starts, [], 'what follows the digest has a run of its own')
  })

  test('goes on from the last note of a run that died, without counting its attempts again', async () => {
    const { clock, jobs, claim, digest, run, starts } = await setUp()
    assert.equal(await digest(await claim()), undefined)
    clock.advance(LEASE / 1_000 + 1)
    await reviveJobs(jobs, kind.name)
    clock.advance(5)
    await reviveJobs(jobs, kind.name)
    starts.length = 0
    const job = await claim()
    assert.equal(job.attempts, 2)
    assert.equal(await digest(job), undefined)
    assert.equal(starts[0], 16)
    await endRun(jobs, job, {})
    assert.equal(await run(), undefined)
    assert.deepEqual(await run(), digestOf(bytes))
  })

  test('goes on where reading failed', async () => {
    const { clock, jobs, claim, digest, run, reader } = await setUp()
    await run()
    const job = await claim()
    const failing = instead(reader, { get: () => Promise.reject(new ObjectsUnavailable('away')) })
    await assert.rejects(digest(job, failing), ObjectsUnavailable)
    await failAttempt(jobs, job, new Error('away'))
    clock.advance(5)
    await reviveJobs(jobs, kind.name)
    for (let n = 0; n < 2; n++) assert.equal(await run(), undefined)
    assert.deepEqual(await run(), digestOf(bytes))
  })

  test('begins anew where the object was replaced, also by one of the same size', async () => {
    const { put, run } = await setUp()
    await run()
    const other = Buffer.from(bytes).reverse()
    await put(other)
    for (let n = 0; n < 3; n++) assert.equal(await run(), undefined)
    assert.deepEqual(await run(), digestOf(other))
  })

  test('begins anew where another version of the library has noted the state', async () => {
    const { table, run } = await setUp()
    await run()
    const { items } = await table.query<{ pk: string; sk: string; cursor?: object }>({ pk: 'JOB#test-job.a' })
    const { pk, sk, cursor } = items[0]!
    await table.update({ pk, sk }, { set: { cursor: { ...cursor, md5: Buffer.alloc(156).toString('base64') } } })
    for (let n = 0; n < 3; n++) assert.equal(await run(), undefined)
    assert.deepEqual(await run(), digestOf(bytes))
  })

  test('ends in a run that has the job no more, which notes nothing', async () => {
    const { clock, jobs, claim, digest, run } = await setUp()
    const slow = await claim()
    clock.advance(LEASE / 1_000 + 1)
    await reviveJobs(jobs, kind.name)
    clock.advance(5)
    await reviveJobs(jobs, kind.name)
    assert.equal(await run(), undefined)
    await assert.rejects(digest(slow), LeaseLost)
    for (let n = 0; n < 2; n++) assert.equal(await run(), undefined)
    assert.deepEqual(await run(), digestOf(bytes))
  })
})
