import assert from 'node:assert/strict'
import { describe, test, vi } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { originalOnDemand, renditionOnDemand } from '../../../shared/library/downloads/on-demand.ts'
import { copyJob, prepareDownloads } from '../../../shared/library/downloads/prepare.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { copiesJob } from '../../../shared/library/media/copy-job.ts'
import { editMetadata, fileOperations } from '../../../shared/library/media/edit.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { putMedia } from '../../support/media.ts'
import { ORIGINAL, setUp } from './set-up.ts'

const FILE = toMediaId(1)
/** Every file is a large one. */
const large = { largest: 5 }
const impatient = { timeoutMs: 20 }

const isPending = (error: unknown) => error instanceof Conflict && error.code === 'download_pending' && error.retryAfter === 5

async function open() {
  const opened = await setUp()
  /** The jobs that wait, and how many times each was asked for. */
  const jobs = async () =>
    (await listJobs(opened.library, [copiesJob.name], {})).map(({ input, asked }) => ({ ...(input as { mediaIds: MediaId[] }), asked }))
  return { ...opened, jobs }
}

describe('a request for a download', () => {
  test('of a large file asks for a job, and waits for it', async () => {
    const { library, read, jobs } = await open()
    const waiting = originalOnDemand(library, await read(), large)
    await vi.waitUntil(async () => (await jobs()).length > 0, { timeout: 60_000, interval: 1 })
    assert.equal(library.exiftool.written, 0)
    await prepareDownloads(library, (await jobs())[0]!.mediaIds)
    assert.deepEqual(await waiting, await originalOnDemand(library, await read()))
    assert.deepEqual(await originalOnDemand(library, await read(), large), await waiting)
    assert.deepEqual(await jobs(), [{ mediaIds: [FILE], asked: 1 }], 'it is ready')
  })

  test('that takes too long is refused with the time to come again, and a job goes on', async () => {
    const { library, read, jobs } = await open()
    await assert.rejects(originalOnDemand(library, await read(), { ...large, ...impatient }), isPending)
    assert.deepEqual(await jobs(), [{ mediaIds: [FILE], asked: 1 }])
    const going = Promise.withResolvers<void>()
    library.exiftool.before = () => going.promise
    await assert.rejects(originalOnDemand(library, await read(), impatient), isPending)
    assert.deepEqual((await listJobs(library, [copyJob.name], { state: 'waiting' })).length, 1)
    const media = await read()
    await library.media.put('101/1/renditions/8x6', Buffer.from('tiny'), { contentType: 'image/jpeg' })
    const rendition = { key: '101/1/renditions/8x6', mime: 'image/jpeg', width: 8, height: 6 }
    await assert.rejects(renditionOnDemand(library, media, rendition, impatient), isPending)
    going.resolve()
    assert.equal((await originalOnDemand(library, media)).metadataWritten, true)
  })
})

test('a size loses a copyright that somebody emptied, which its rendition may still have', async () => {
  const { library, edit, content } = await open()
  const rendition = { key: '101/1/renditions/8x6', mime: 'image/jpeg', width: 8, height: 6 }
  await library.media.put(rendition.key, Buffer.from('tiny'), { contentType: 'image/jpeg' })
  const media = await edit({ title: {}, copyright: '' })
  const { key } = await renditionOnDemand(library, { ...media, emptied: ['title', 'copyright'] }, rendition)
  assert.equal(await content(key), 'tiny with {"copyright":""}')
  assert.equal((await renditionOnDemand(library, { ...media, version: 9, emptied: ['title'] }, rendition)).key, rendition.key)
})

describe('a job that prepares downloads', () => {
  test('skips what is ready, gone or not imported yet, however often it runs', async () => {
    const { library } = await open()
    const { table, exiftool, media } = library
    for (let mediaId = 2; mediaId <= 20; mediaId++) {
      const stored = await putMedia(table, { mediaId, title: { en: 'Title' }, state: mediaId === 5 ? 'importing' : 'available' })
      await media.put(objectKeys.original(stored), Buffer.from(ORIGINAL), { contentType: 'image/jpeg' })
    }
    const ids = Array.from({ length: 22 }, (_, n) => toMediaId(n + 1))
    await Promise.all([prepareDownloads(library, ids), prepareDownloads(library, ids.toReversed())])
    await prepareDownloads(library, ids)
    assert.equal(exiftool.written, 19)
  })

  test('prepares the others where one fails, and fails', async () => {
    const { library, copies } = await open()
    await putMedia(library.table, { mediaId: 2, title: { en: 'Its original is not stored' } })
    await assert.rejects(prepareDownloads(library, [toMediaId(2), FILE]), /1 of 2 downloads could not be prepared/)
    assert.equal((await copies()).length, 1)
    library.exiftool.before = async () => {
      throw new ObjectsUnavailable('timeout')
    }
    await assert.rejects(prepareDownloads(library, [toMediaId(2)]), AggregateError)
  })
})

test('an edit asks for the job of a large file that can be written, and of no other', async () => {
  const mime = 'image/tiff'
  const MiB = 1024 ** 2
  const edited = async (files: { bytes?: number; mime?: string }[], edit: 'alone' | 'in bulk' = 'alone') => {
    const { library, jobs } = await open()
    const ids = files.map((_, n) => toMediaId(n + 10))
    const stored = await Promise.all(files.map((file, n) => putMedia(library.table, { mediaId: n + 10, ...file })))
    if (edit === 'alone') await editMetadata(library, ids, () => ({ byline: 'Anna' }))
    else await library.table.transact((await fileOperations(library, stored[0]!, { fields: { byline: 'Anna' } }))!.operations)
    return (await jobs()).map(({ mediaIds }) => mediaIds)
  }
  for (const bytes of [100 * MiB + 1, 2048 * MiB]) assert.deepEqual(await edited([{ bytes, mime }]), [[10]])
  assert.deepEqual(await edited([{ bytes: 200 * MiB, mime }], 'in bulk'), [[10]])
  for (const other of [{ bytes: 100 * MiB, mime }, { bytes: 2048 * MiB + 1, mime }, { bytes: 200 * MiB, mime: 'video/mp4' }, {}]) {
    assert.deepEqual(await edited([other]), [])
  }
  // As many as a transaction has room for.
  assert.equal((await edited(Array.from({ length: 70 }, () => ({ bytes: 200 * MiB, mime })))).length, 30)
  assert.deepEqual(await edited(Array.from({ length: 100 }, () => ({ bytes: 200 * MiB, mime }))), [])
})
