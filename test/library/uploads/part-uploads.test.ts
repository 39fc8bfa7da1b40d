import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { expireUpload } from '../../../functions/jobs/expire-upload.ts'
import { embeddedPartRequests } from '../../../shared/backends/objects/embedded-part-url.ts'
import { ComparisonUnfinished, type PartUploads } from '../../../shared/backends/objects/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { Conflict, Gone, Unprocessable } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { retryJob } from '../../../shared/library/jobs/operator.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { compareUpload } from '../../../shared/library/uploads/compare.ts'
import { completePartUpload } from '../../../shared/library/uploads/complete-parts.ts'
import { bytesOfPart, compareJob, partsOf, stateOf, uploadExpiryJob } from '../../../shared/library/uploads/part-upload.ts'
import { abortPartUpload, beginPartUpload, partRequests, readPartUpload } from '../../../shared/library/uploads/part-uploads.ts'
import { sweepUploads } from '../../../shared/library/uploads/sweep.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { instead } from '../../support/instead.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'

const DAY = 86_400
const GiB = 1024 ** 3
const never = () => false

async function setUp() {
  const { table, clock } = openTestTable()
  const uploads = openTestObjects(clock)
  const partUploads = Object.assign(uploads, embeddedPartRequests({ partsUrl: 'http://library/parts', secrets: async () => ['secret'] }))
  const { admin } = await openTestCompany({ table, clock, by })
  const request = (ports: { table?: Table; partUploads?: PartUploads } = {}) =>
    requestOf({ table, partUploads, clock, by, ...ports }, admin)
  const { folderId } = await createFolder(request(), { name: 'Folder', parent: null })
  return {
    ...{ clock, table, uploads, partUploads, request },
    begin: () => beginPartUpload(request(), { folderId }, { filename: 'notes.txt', bytes: 10 }, 100),
    async put(upload: Awaited<ReturnType<typeof beginPartUpload>>, text = 'ten bytes!') {
      async function* body() {
        yield Buffer.from(text)
      }
      await uploads.receivePart({ upload: upload.parts, number: 1, bytes: text.length, body: body() })
    },
    expire: () => runDueJobs({ table, clock, partUploads }, expireUpload),
  }
}

describe('the size of parts', () => {
  test('is the smallest of which 9,000 are enough', () => {
    const MiB = 1024 ** 2
    assert.deepEqual(partsOf(0), { partBytes: 8 * MiB, parts: 1 })
    assert.deepEqual(partsOf(8 * MiB + 1), { partBytes: 8 * MiB, parts: 2 })
    assert.deepEqual(partsOf(9_000 * 8 * MiB), { partBytes: 8 * MiB, parts: 9_000 })
    assert.deepEqual(partsOf(9_000 * 8 * MiB + 1), { partBytes: 16 * MiB, parts: 4_501 })
    assert.deepEqual(partsOf(100 * GiB), { partBytes: 16 * MiB, parts: 6_400 })
    assert.equal(bytesOfPart({ bytes: 8 * MiB + 1, partBytes: 8 * MiB }, 2), 1)
  })
})

describe('an upload in parts', () => {
  test('ends 7 days after its last part', async () => {
    const { begin, put, clock, request, expire } = await setUp()
    const [idle, busy] = [await begin(), await begin()]
    clock.advance(6 * DAY)
    await partRequests(request(), busy.uploadId, [1])
    await put(busy)
    clock.advance(1 * DAY)
    await expire()
    for (const call of [
      () => partRequests(request(), idle.uploadId, [1]),
      () => readPartUpload(request(), idle.uploadId),
      () => completePartUpload(request(), idle.uploadId, undefined),
    ]) {
      await assert.rejects(call(), Gone)
    }
    assert.equal((await readPartUpload(request(), busy.uploadId)).received.length, 1)
    clock.advance(6 * DAY)
    await assert.rejects(completePartUpload(request(), busy.uploadId, undefined), Gone)
  })

  test('has a job that ends it, which goes once it is a file, and which does nothing before its time', async () => {
    const { begin, put, request, table, expire } = await setUp()
    const [finished, idle] = [await begin(), await begin()]
    const job = ({ uploadId }: { uploadId: string }) => uploadExpiryJob.find({ table }, uploadId)
    const due = (await job(idle))?.notBefore
    assert.equal(due, idle.expires * 1000)
    await put(finished)
    await completePartUpload(request(), finished.uploadId, undefined)
    assert.equal(await job(finished), undefined)
    await retryJob(request(), `${uploadExpiryJob.name}.${idle.uploadId}`)
    assert.equal(await expire(), due)
    assert.equal((await readPartUpload(request(), idle.uploadId)).upload.hasEnded, undefined)
  })

  test('is one of at most 1,000 of a user; ended ones do not count', async () => {
    const { begin, put, request, table, clock, expire } = await setUp()
    const upload = await begin()
    const counted = { pk: `USER#${upload.userId}`, sk: 'OPEN-UPLOADS' }
    const open = async () => (await table.get(counted))?.open
    assert.equal(await open(), 1)
    await table.update(counted, { set: { open: 999 } })
    const last = await begin()
    await assert.rejects(begin(), (error) => error instanceof Conflict && error.code === 'too_many_uploads')
    await abortPartUpload(request(), upload.uploadId)
    assert.equal(await open(), 999)
    await put(last)
    await completePartUpload(request(), last.uploadId, undefined)
    await completePartUpload(request(), last.uploadId, undefined)
    assert.equal(await open(), 998)
    await begin()
    clock.advance(8 * DAY)
    await expire()
    await expire()
    assert.equal(await open(), 998)
  })

  test('becomes one file, wherever its completion crashes, and however often it is repeated', async () => {
    for (let calls = 0; ; calls++) {
      const { begin, put, request, table, partUploads, clock, uploads } = await setUp()
      const upload = await begin()
      await put(upload)
      const crashed = await completePartUpload(
        request({ table: cutOffAfter(calls, table), partUploads: cutOffAfter(calls, partUploads) }),
        upload.uploadId,
        undefined,
      ).then(
        () => false,
        () => true,
      )
      const [one, other] = await Promise.all([1, 2].map(() => completePartUpload(request(), upload.uploadId, undefined)))
      assert.equal(one, other)
      const media = await getMedia({ table }, one!)
      assert.deepEqual([media?.filename, media?.uploadKey], ['notes.txt', upload.parts.key])
      const { upload: record } = await readPartUpload(request(), upload.uploadId)
      assert.equal(stateOf(record), 'finalized')
      await sweepUploads({ table, uploads, clock }, never)
      assert.equal((await uploads.head(upload.parts.key))?.bytes, 10)
      if (!crashed) break
    }
  })
})

describe('the MD5 of an upload that is too large for a request', () => {
  const md5 = createHash('md5').update('ten bytes!').digest('hex')
  const isComparing = (error: unknown) => error instanceof Conflict && error.code === 'upload_finalizing' && error.retryAfter !== undefined
  const isWrong = (error: unknown) => error instanceof Unprocessable && error.code === 'checksum_mismatch'

  async function setUpLarge() {
    const place = await setUp()
    const { table, clock, uploads, request } = place
    const partUploads = Object.assign(place.partUploads, { maxComparedBytes: 9 })
    const upload = await place.begin()
    const { uploadId } = upload
    return {
      ...place,
      upload,
      partUploads,
      complete: (told?: string) => completePartUpload(request({ partUploads }), uploadId, told),
      state: async () => stateOf((await readPartUpload(request(), uploadId)).upload),
      async compare(ports: { table?: Table; partUploads?: PartUploads } = {}) {
        const job = await compareJob.find({ table }, uploadId)
        assert.ok(job)
        return compareUpload({ table, clock, uploads, partUploads, ...ports }, uploadId, by)
      },
    }
  }

  test('is compared by a job, and then the upload is one file', async () => {
    const { complete, compare, state, put, upload, table } = await setUpLarge()
    await put(upload)
    await assert.rejects(complete(md5), isComparing)
    await assert.rejects(complete(md5), isComparing)
    await assert.rejects(complete(), isComparing)
    assert.equal(await state(), 'finalizing')
    await compare()
    assert.equal(await state(), 'finalized')
    await compare()
    const mediaId = await complete(md5)
    assert.equal((await getMedia({ table }, mediaId))?.uploadKey, upload.parts.key)
  })

  test('is wrong: nothing becomes a file, and the parts stay until the right ones come', async () => {
    const { complete, compare, state, put, upload } = await setUpLarge()
    await put(upload, 'ten others')
    await assert.rejects(complete(md5), isComparing)
    await compare()
    assert.equal(await state(), 'open')
    // Nothing is read again of the same parts.
    await assert.rejects(complete(md5), isWrong)
    await assert.rejects(complete(md5), isWrong)
    assert.equal(await state(), 'open')
    await put(upload)
    await assert.rejects(complete(md5), isComparing)
    await compare()
    assert.equal(typeof (await complete(md5)), 'number')
  })

  test('is compared by further runs where the time of one is over', async () => {
    const { complete, compare, state, put, upload, partUploads } = await setUpLarge()
    await put(upload)
    await assert.rejects(complete(md5), isComparing)
    const joinParts = () => Promise.reject(new ComparisonUnfinished(upload.parts.key))
    assert.deepEqual(await compare({ partUploads: instead(partUploads, { joinParts }) }), {})
    assert.equal(await state(), 'finalizing')
    assert.equal(await compare(), undefined)
    assert.equal(await state(), 'finalized')
  })

  test('becomes one file wherever the job crashes, and however often it runs', async () => {
    for (let calls = 0; ; calls++) {
      const { complete, compare, put, upload, table, partUploads } = await setUpLarge()
      await put(upload)
      await assert.rejects(complete(md5), isComparing)
      const crashed = await compare({ table: cutOffAfter(calls, table), partUploads: cutOffAfter(calls, partUploads) }).then(
        () => false,
        () => true,
      )
      await Promise.all([compare(), compare()])
      assert.equal(typeof (await complete(md5)), 'number')
      if (!crashed) break
    }
  })
})
