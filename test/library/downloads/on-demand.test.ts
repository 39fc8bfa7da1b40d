import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { startJobs } from '../../../functions/events/start-jobs.ts'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { originalOnDemand, renditionOnDemand } from '../../../shared/library/downloads/on-demand.ts'
import { prepareDownload } from '../../../shared/library/downloads/prepare.ts'
import { prepareDownloads } from '../../../shared/library/downloads/prepare-many.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import type { DomainEvent } from '../../../shared/library/events/domain-events.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { Messages } from '../../../shared/vocabulary/messages.ts'
import { putMedia } from '../../support/media.ts'
import { ORIGINAL, setUp } from './set-up.ts'

const FILE = toMediaId(1)
/** Every file is a large one, or slow. */
const large = { largest: 5, patience: 2_000 }
const impatient = { patience: 20 }

const isPending = (error: unknown) => error instanceof Conflict && error.code === 'download_pending' && error.retryAfter === 5

async function open() {
  const opened = await setUp()
  const sent: Messages['downloads'][] = []
  const downloads = { send: async (message: Messages['downloads']) => void sent.push(message) }
  return { ...opened, sent, library: { ...opened.library, downloads } }
}

describe('a request for a download', () => {
  test('of an ordinary file makes the copy, and asks for no job', async () => {
    const { library, read, sent } = await open()
    const deliverable = await originalOnDemand(library, await read())
    assert.deepEqual([deliverable.metadataWritten, library.exiftool.written, sent], [true, 1, []])
  })

  test('of a large file asks for a job, and waits for it', async () => {
    const { library, read, sent } = await open()
    const waiting = originalOnDemand(library, await read(), large)
    while (sent.length === 0) await sleep(1)
    assert.deepEqual(sent, [{ mediaIds: [FILE] }])
    assert.equal(library.exiftool.written, 0)
    await prepareDownloads(library, sent[0]!.mediaIds)
    assert.deepEqual(await waiting, await prepareDownload(library, await read()))
    assert.deepEqual(await originalOnDemand(library, await read(), large), await waiting)
    assert.equal(sent.length, 1, 'it is ready')
  })

  test('of a large file that a job is at asks for no other one', async () => {
    const { library, read, sent } = await open()
    const going = Promise.withResolvers<void>()
    library.exiftool.before = () => going.promise
    const job = prepareDownloads(library, [FILE])
    while (library.exiftool.written === 0) await sleep(1)
    const waiting = originalOnDemand(library, await read(), large)
    going.resolve()
    await job
    assert.equal((await waiting).metadataWritten, true)
    assert.deepEqual(sent, [])
  })

  test('that takes too long is refused with the time to come again, and a job goes on', async () => {
    const { library, read, sent } = await open()
    await assert.rejects(originalOnDemand(library, await read(), { ...large, ...impatient }), isPending)
    assert.equal(sent.length, 1)
    const going = Promise.withResolvers<void>()
    library.exiftool.before = () => going.promise
    await assert.rejects(originalOnDemand(library, await read(), impatient), isPending)
    assert.equal(sent.length, 2)
    const media = await read()
    await library.media.put('101/1/renditions/8x6', Buffer.from('tiny'), { contentType: 'image/jpeg' })
    const rendition = { key: '101/1/renditions/8x6', mime: 'image/jpeg', width: 8, height: 6, bytes: 4 }
    await assert.rejects(renditionOnDemand(library, media, rendition, impatient), isPending)
    going.resolve()
    assert.equal((await originalOnDemand(library, media)).metadataWritten, true)
  })

  test('of a large file without metadata, or of another type, needs no job', async () => {
    const { library, read, sent } = await open()
    const media = await read()
    for (const each of [
      { ...media, title: {} },
      { ...media, mime: 'video/mp4' },
    ]) {
      assert.equal((await originalOnDemand(library, each, large)).key, objectKeys.original(media))
    }
    assert.deepEqual(sent, [])
  })
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

test('an edit starts the job of a large file that can be written, and of no other', async () => {
  const edited = async (file: { bytes?: number; mime?: string }) => {
    const sent: unknown[] = []
    const sender = { send: async (message: unknown) => void sent.push(message) }
    const event = { name: 'media.edited', companyId: 2, mediaId: 1, version: 2, ...file } as DomainEvent<'media.edited'>
    const queues = { imports: sender, removals: sender, downloads: sender }
    await startJobs.handle({ event, ...queues } as unknown as Parameters<typeof startJobs.handle>[0])
    return sent
  }
  const mime = 'image/tiff'
  const MiB = 1024 ** 2
  assert.deepEqual(await edited({ bytes: 100 * MiB + 1, mime }), [{ mediaIds: [1] }])
  assert.deepEqual(await edited({ bytes: 2048 * MiB, mime }), [{ mediaIds: [1] }])
  for (const other of [{ bytes: 100 * MiB, mime }, { bytes: 2048 * MiB + 1, mime }, { bytes: 200 * MiB, mime: 'video/mp4' }, {}]) {
    assert.deepEqual(await edited(other), [])
  }
})
