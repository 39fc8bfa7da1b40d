import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { describe, test } from 'vitest'
import type { Value } from '../../../shared/backends/table/port.ts'
import { copiesOf, forgetCopies, readyDeliverables } from '../../../shared/library/downloads/copies.ts'
import { expireCopy, expiryJob } from '../../../shared/library/downloads/expiry.ts'
import { originalOnDemand } from '../../../shared/library/downloads/on-demand.ts'
import { copyJob, makeNamedCopy } from '../../../shared/library/downloads/prepare.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import type { JobKind, JobRecord } from '../../../shared/library/jobs/job.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { type Again, endRun, type JobInHand, jobInHand } from '../../../shared/library/jobs/run.ts'
import { LEASE_HERE_MS } from '../../../shared/library/jobs/run-here.ts'
import { mediaRemoval } from '../../../shared/library/media/changes.ts'
import { objectKeys, removeObjects } from '../../../shared/library/media/objects.ts'
import { removeStored } from '../../../shared/library/media/stored-removal.ts'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { exchangeBytes } from '../../support/exchanged.ts'
import { ORIGINAL, setUp, writer } from './set-up.ts'

const FILE = toMediaId(1)
const [MINUTE, DAY] = [60, 86_400]

type Test = Awaited<ReturnType<typeof setUp>>

/** The file is deleted for good, and what was told of it has been done. */
async function remove({ library, read }: Test): Promise<void> {
  const media = await read()
  await library.table.transact(mediaRemoval(library, media))
  await forgetCopies(library, FILE)
  await removeObjects(library, media)
}

/** Lets the jobs of a kind run that are due. @returns those that are left */
async function work<Input extends Value>(
  { library }: Test,
  kind: JobKind<Input>,
  run: (input: Input, job: JobInHand) => Promise<Again | undefined>,
): Promise<JobRecord[]> {
  await reviveJobs(library, kind.name)
  for (;;) {
    const job = await claimNext(library, kind.name, undefined, 60_000)
    if (!job) return listJobs(library, [kind.name], {})
    await endRun(library, job, await run(job.input as Input, jobInHand(job)))
  }
}

const expire = (test: Test) => work(test, expiryJob, (input) => expireCopy(test.library, input))
const makeRest = (test: Test) =>
  work(test, copyJob, async (input, { cutOff }) => {
    await makeNamedCopy(test.library, input, cutOff)
    return undefined
  })

describe('what is delivered for an original', () => {
  test('is a copy that carries what the library knows, with its size and checksum', async () => {
    const { library, read, content } = await setUp()
    const deliverable = await originalOnDemand(library, await read())
    const bytes = `${ORIGINAL} with {"title":"Boats"}`
    assert.equal(await content(deliverable.key), bytes)
    assert.deepEqual([deliverable.bytes, deliverable.crc32, deliverable.metadataWritten], [bytes.length, crc32(bytes), true])
    assert.equal((await library.media.head(deliverable.key))?.etag, deliverable.etag)
    assert.equal((await library.media.head(deliverable.key))?.contentType, 'image/jpeg')
  })

  test('is the original where the file can not be written, which is tried again after a day', async () => {
    const { library, read, copies } = await setUp()
    const media = await read()
    library.exiftool.before = async () => {
      throw new ToolFailed('not a JPEG')
    }
    const unwritten = { key: objectKeys.original(media), bytes: ORIGINAL.length, crc32: 17, metadataWritten: false }
    assert.deepEqual(await originalOnDemand(library, media), unwritten)
    assert.deepEqual(await originalOnDemand(library, media), unwritten)
    assert.deepEqual(await readyDeliverables(library, [media]), [unwritten])
    assert.deepEqual([library.exiftool.written, await copies()], [1, []])
    library.exiftool.before = async () => undefined
    library.clock.advance(DAY)
    assert.deepEqual(await readyDeliverables(library, [media]), [undefined])
    assert.equal((await originalOnDemand(library, media)).metadataWritten, true)
  })
})

describe('a maker that crashes', () => {
  /** A process that stopped in the middle, and would store its copy later. */
  async function crashed({ library, read }: Test) {
    const stopped = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const exiftool = writer()
    exiftool.before = () => {
      reached.resolve()
      return stopped.promise
    }
    const dead = { ...library, clock: library.clock.stopped, exiftool }
    const making = originalOnDemand(dead, await read(), { timeoutMs: Number.POSITIVE_INFINITY })
    await reached.promise
    library.clock.advance(LEASE_HERE_MS / 1000 + 1)
    return { goOn: stopped.resolve, making }
  }

  test('is followed by the next who asks, and its own copy is removed should it come back', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    const { goOn, making } = await crashed(all)
    const deliverable = await originalOnDemand(library, await read())
    goOn()
    assert.deepEqual(await making, deliverable)
    assert.deepEqual(await copies(), [deliverable.key])
  })

  test('is followed by a run where nobody asks, and what it stored is removed', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    await crashed(all)
    const [expiry] = await expire(all)
    await library.media.put((expiry!.input as { key: string }).key, Buffer.from('cut off'), { contentType: 'image/jpeg' })
    assert.equal((await makeRest(all)).length, 1)
    library.clock.advance(10)
    assert.deepEqual(await makeRest(all), [])
    const { key } = await originalOnDemand(library, await read())
    assert.deepEqual([library.exiftool.written, (await copies()).length], [1, 2])
    library.clock.advance(7 * DAY - 60)
    await originalOnDemand(library, await read())
    library.clock.advance(60)
    await expire(all)
    assert.deepEqual(await copies(), [key])
  })

  test('three times makes the file one that is delivered as it is', async () => {
    const all = await setUp()
    const { library, read } = all
    const attempts = [await crashed(all), await crashed(all), await crashed(all)]
    const deliverable = await originalOnDemand(library, await read())
    assert.deepEqual([deliverable.metadataWritten, library.exiftool.written], [false, 0])
    for (const { goOn } of attempts) goOn()
    assert.deepEqual(await Promise.all(attempts.map(({ making }) => making)), [deliverable, deliverable, deliverable])
    assert.deepEqual(await all.copies(), [])
    library.clock.advance(DAY)
    assert.equal((await originalOnDemand(library, await read())).metadataWritten, true, 'it is tried again after a day')
  })
})

describe('a file that is removed', () => {
  test('while its copy is made is not found, and leaves nothing', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    library.exiftool.before = () => remove(all)
    await assert.rejects(originalOnDemand(library, await read()), NotFound)
    assert.deepEqual(await copies(), [])
    assert.deepEqual(await copiesOf(library, FILE), [])
    assert.deepEqual(await listJobs(library, [copyJob.name], {}), [])
  })
})

describe('a file that gets other bytes', () => {
  test('while its copy is made: who asks again gets those, also where the former ones are deleted', async () => {
    const { library, read, content } = await setUp()
    const before = await read()
    await exchangeBytes(library, FILE, Buffer.from('other bytes'))
    assert.equal(await content((await originalOnDemand(library, before)).key), `${ORIGINAL} with {"title":"Boats"}`)
    const after = await originalOnDemand(library, await read())
    assert.equal(await content(after.key), 'other bytes with {"title":"Boats"}')
  })

  test('and loses the former ones while a copy of them is asked for, is asked for again', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    const before = await read()
    await exchangeBytes(library, FILE, Buffer.from('other bytes'))
    await removeStored(library, before)
    await assert.rejects(originalOnDemand(library, before), { code: 'download_pending' })
    assert.equal((await originalOnDemand(library, await read())).metadataWritten, true)
    library.clock.advance(MINUTE)
    const left = await makeRest(all)
    assert.deepEqual([left, (await copies()).length], [[], 1])
  })
})

describe('what is prepared', () => {
  test('goes after a week in which nobody fetched it, and is made anew', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    const first = await originalOnDemand(library, await read())
    library.clock.advance(6 * DAY + 1)
    assert.deepEqual(await originalOnDemand(library, await read()), first, 'a use renews it')
    library.clock.advance(7 * DAY - 1)
    assert.equal((await expire(all)).length, 1)
    assert.deepEqual(await copies(), [first.key])
    library.clock.advance(1)
    assert.deepEqual(await expire(all), [])
    assert.deepEqual([await copiesOf(library, FILE), await copies()], [[], []])
    assert.equal((await originalOnDemand(library, await read())).metadataWritten, true)
  })

  test('of older versions goes when a newer one is prepared, once their URLs have ended', async () => {
    const all = await setUp()
    const { library, read, edit, copies } = all
    const old = await originalOnDemand(library, await read())
    const fresh = await originalOnDemand(library, await edit({ title: { en: 'Ships' } }))
    library.clock.advance(9 * MINUTE)
    await expire(all)
    assert.deepEqual((await copies()).sort(), [old.key, fresh.key].sort())
    library.clock.advance(MINUTE)
    await expire(all)
    assert.deepEqual(await copies(), [fresh.key])
  })

  test('of older versions stays when a request that read the older version uses it', async () => {
    const all = await setUp()
    const { library, read, edit, copies } = all
    const before = await read()
    const old = await originalOnDemand(library, before)
    const fresh = await originalOnDemand(library, await edit({ title: { en: 'Ships' } }))
    library.clock.advance(9 * MINUTE)
    assert.deepEqual(await originalOnDemand(library, before), old)
    library.clock.advance(9 * MINUTE)
    await expire(all)
    assert.deepEqual((await copies()).sort(), [old.key, fresh.key].sort())
  })
})
