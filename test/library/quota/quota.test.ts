import assert from 'node:assert/strict'
import { test } from 'vitest'
import { expireUpload } from '../../../functions/jobs/expire-upload.ts'
import { embeddedPartRequests } from '../../../shared/backends/objects/embedded-part-url.ts'
import { QuotaExceeded } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { heldIn } from '../../../shared/library/quota/held-files.ts'
import { quotaOf, reserve, setQuota } from '../../../shared/library/quota/quota.ts'
import { noteFilling, type QuotaRecord, quotaKey } from '../../../shared/library/quota/steps.ts'
import { finalizeHeld } from '../../../shared/library/uploads/finalize-held.ts'
import { abortPartUpload, beginPartUpload } from '../../../shared/library/uploads/part-uploads.ts'
import { sweepUploads } from '../../../shared/library/uploads/sweep.ts'
import { finalizeUpload, objectPrefix, registerUpload } from '../../../shared/library/uploads/uploads.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'

const DAY = 86_400
const never = () => false

async function setUp(quotaBytes?: number) {
  const { table, clock } = openTestTable()
  const uploads = openTestObjects(clock)
  const partUploads = Object.assign(uploads, embeddedPartRequests({ partsUrl: 'http://library/parts', secrets: async () => ['secret'] }))
  const library = { table, clock, by, uploads, partUploads }
  const { admin, companyId, add } = await openTestCompany(library)
  const request = () => requestOf(library, admin)
  const { folderId } = await createFolder(request(), { name: 'Folder', parent: null })
  if (quotaBytes !== undefined) await setQuota(library, companyId, quotaBytes)
  const post = async (bytes: number) => {
    const { uploadId } = await registerUpload(request(), { folderId }, {})
    await uploads.put(`${objectPrefix(uploadId)}file.bin`, Buffer.alloc(bytes), { contentType: 'application/octet-stream' })
    return uploadId
  }
  const finalize = (uploadId: string) =>
    finalizeUpload({ table, uploads, clock, requestId: 'request', sourceAddress: '192.0.2.1' }, uploadId, undefined)
  return {
    ...{ table, clock, uploads, library, request, companyId, add, post, finalize },
    begin: (bytes: number) => beginPartUpload(request(), { folderId }, { filename: 'film.bin', bytes }, 1_000),
    reserved: async () => (await quotaOf(library, companyId))?.reservedBytes ?? 0,
    step: async () => (await table.get<QuotaRecord>(quotaKey(companyId)))?.percent,
    runHeld: () => finalizeHeld(library, companyId, never),
  }
}

test('uploads in parts reserve their room from the beginning, and give it back when they end', async () => {
  const { begin, request, reserved, clock, library, companyId } = await setUp(100)
  const first = await begin(60)
  await assert.rejects(begin(41), QuotaExceeded)
  const second = await begin(40)
  assert.equal(await reserved(), 100)
  await abortPartUpload(request(), second.uploadId)
  assert.equal(await reserved(), 60)
  clock.advance(8 * DAY)
  await runDueJobs(library, expireUpload)
  assert.equal(await reserved(), 0)
  await setQuota(library, companyId, 0)
  await assert.rejects(begin(1), QuotaExceeded)
  assert.equal((await begin(0)).parts.bytes, 0)
  assert.notEqual(first.uploadId, second.uploadId)
})

test('a posted file that finds no room is held for 7 days, and becomes a file when there is some', async () => {
  const { post, finalize, reserved, companyId, library, runHeld, table, clock, uploads } = await setUp(100)
  const first = await finalize(await post(70))
  assert.equal(await reserved(), 70)
  const second = await post(40)
  const until = new Date(clock.now() + 7 * DAY * 1000).toISOString().replace('.000', '')
  const isHeld = (error: unknown) => error instanceof QuotaExceeded && error.details.held_until === until
  await assert.rejects(finalize(second), isHeld)
  assert.equal(await reserved(), 70, 'what is held is not counted')
  clock.advance(3 * DAY)
  await assert.rejects(finalize(second), isHeld, 'asking again makes it no longer')
  assert.notEqual(await getJob({ table }, `finalize-held-files.${companyId}`), undefined)
  clock.advance(3 * DAY)
  await sweepUploads({ table, uploads, clock }, never)
  assert.equal(await runHeld(), true)

  const media = (await getMedia({ table }, first))!
  await changePointers(library, first, () => new Map())
  assert.equal(await reserved(), 0, 'the file whose import had not ended is gone')
  assert.equal(await runHeld(), false)
  assert.deepEqual(await heldIn({ table }, companyId), [])
  const mediaId = await finalize(second)
  assert.deepEqual((await getMedia({ table }, mediaId))?.by, {
    kind: 'user',
    userId: media.uploadedBy,
    requestId: 'request',
    network: '192.0.2.0/24',
  })
})

test('what is held no longer than 7 days is gone then', async () => {
  const { post, finalize, runHeld, clock, table, uploads } = await setUp(10)
  const uploadId = await post(11)
  await assert.rejects(finalize(uploadId), QuotaExceeded)
  clock.advance(8 * DAY + 1)
  assert.equal(await runHeld(), false)
  await sweepUploads({ table, uploads, clock }, never)
  assert.deepEqual((await uploads.list('')).objects, [])
})

test('smaller files pass those that wait, and never more than there is room for', async () => {
  const { post, finalize, runHeld, companyId, library, table, clock } = await setUp(100)
  await finalize(await post(90))
  for (const bytes of [30, 15, 15]) {
    await assert.rejects(finalize(await post(bytes)), QuotaExceeded)
    clock.advance(1)
  }
  await setQuota(library, companyId, 110)
  assert.equal(await runHeld(), true)
  assert.deepEqual(
    (await heldIn({ table }, companyId)).map(({ bytes }) => bytes),
    [30, 15],
  )
})

test('of files that are finalized at the same moment no more become files than there is room for', async () => {
  const { post, finalize, reserved, runHeld } = await setUp(50)
  const uploads = await Promise.all(Array.from({ length: 12 }, () => post(10)))
  const results = await Promise.allSettled([...uploads, ...uploads].map(finalize))
  for (const result of results) if (result.status === 'rejected') assert.ok(result.reason instanceof QuotaExceeded, String(result.reason))
  assert.ok((await reserved()) <= 50)
  await runHeld()
  assert.equal(await reserved(), 50, 'and all that fits becomes files')
})

test('room that nobody uses comes back', async () => {
  const { library, companyId, begin, clock } = await setUp(10)
  await reserve(library, { companyId, uploadId: 'crashed', bytes: 10 })
  await assert.rejects(begin(1), QuotaExceeded)
  clock.advance(3_601)
  await begin(10)
})

test('each step is told once, and again only after the quota was clearly emptier', async () => {
  const { library, companyId, step, table, add } = await setUp()
  const anna = await add('anna@example.com', true)
  const mails = async () => {
    const jobs = await Promise.all(
      [80, 95, 100].map((percent) => getJob({ table }, `send-mail.quota-${companyId}-${percent}-${anna.userId}`)),
    )
    return jobs.map((job) => job?.asked ?? 0)
  }
  const told: (number | undefined)[] = []
  for (const taken of [79, 80, 94, 95, 99, 100, 98, 96, 94, 95, 78, 76, 80, 74, 80]) {
    await noteFilling(library, companyId, taken, 100)
    told.push(await step())
  }
  const [none, first, second, full] = [undefined, 80, 95, 100]
  assert.deepEqual(told, [none, first, first, second, second, full, full, full, second, second, first, first, first, 0, first])
  assert.deepEqual(await mails(), [2, 1, 1])
  await setQuota(library, companyId, undefined)
  assert.equal(await step(), undefined)
})
