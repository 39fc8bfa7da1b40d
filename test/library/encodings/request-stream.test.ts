import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { setStreaming } from '../../../shared/library/accounts/companies.ts'
import { availableStream, requestStream } from '../../../shared/library/encodings/streams.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../../../shared/library/errors.ts'
import { videoJob } from '../../../shared/library/videos/job.ts'
import { changeVideo, type Encoding, ensureVideo } from '../../../shared/library/videos/video.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, requestOf } from '../../support/library.ts'
import { setUpStreams, VIDEO } from './set-up-streams.ts'

describe('asking for a stream', () => {
  test('queues one, of a video that an earlier version imported too, and notes who is to be told', async () => {
    const { asAdmin, admin, video, library } = await setUpStreams()
    await requestStream(asAdmin(), VIDEO, 'request-1')
    const { stream, preview } = await video()
    assert.deepEqual([stream?.state, preview.state], ['queued', 'queued'])
    assert.deepEqual([stream?.requester, stream?.requestId], [admin.user.userId, 'request-1'])
    assert.match(stream!.encodingId, /^[0-9a-f]{32}$/)
    assert.equal((await videoJob.find(library, String(VIDEO)))?.asked, 2, 'for the preview, and for the stream')
  })

  test('takes what is known of the video by now, once its preview is there', async () => {
    const { asAdmin, put, library, video } = await setUpStreams()
    const known = { seconds: 1, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false }
    const before = await ensureVideo(library, {
      ...(await put({ mime: 'video/matroska' })),
      mime: 'video/matroska',
      width: 640,
      height: 360,
    })
    await put({ mime: 'video/x-matroska', video: known })
    await requestStream(asAdmin(), VIDEO, 'request-1')
    assert.equal((await video()).source.mime, 'video/matroska', 'the job of its preview stays the same')
    await changeVideo(library, await video(), {
      preview: { ...before.preview, state: 'available' },
      stream: { ...(await video()).stream!, state: 'failed' },
    })
    await requestStream(asAdmin(), VIDEO, 'request-2')
    assert.deepEqual((await video()).source, { mime: 'video/x-matroska', width: 1920, height: 1080, facts: known })
  })

  test('five times at once makes one', async () => {
    const { asAdmin, video } = await setUpStreams()
    await Promise.all(Array.from({ length: 5 }, (_, index) => requestStream(asAdmin(), VIDEO, `request-${index}`)))
    const { stream, revision } = await video()
    assert.equal(stream?.state, 'queued')
    assert.equal(revision, 2, 'made once, asked for once')
  })

  test.each(['queued', 'encoding', 'available'] as const)('again while it is %s changes nothing', async (state) => {
    const world = await setUpStreams()
    await requestStream(world.asAdmin(), VIDEO, 'request-1')
    const before = await world.video()
    const after = await changeVideo(world.library, before, { stream: { ...before.stream!, state } })
    await requestStream(world.asAdmin(), VIDEO, 'request-2')
    assert.deepEqual((await world.video()).stream, after.stream)
    assert.equal((await world.video()).revision, after.revision)
  })

  test('that failed begins another one, under another address, for whoever asks now', async () => {
    const { asAdmin, asUser, grant, library, user, video } = await setUpStreams()
    await requestStream(asAdmin(), VIDEO, 'request-1')
    const before = await video()
    const failed: Partial<Encoding> = { state: 'failed', reason: 'no', jobId: 'job-1', lost: 1 }
    await changeVideo(library, before, { stream: { ...before.stream!, ...failed, mailed: true } })
    await grant('WRITE')
    await requestStream(asUser(), VIDEO, 'request-2')
    const { stream } = await video()
    assert.notEqual(stream?.encodingId, before.stream?.encodingId)
    const { encodingId: _, ...rest } = stream!
    assert.deepEqual(rest, { state: 'queued', asked: library.clock.now(), requester: user.user.userId, requestId: 'request-2' })
  })

  test('needs WRITE; what the caller may not know of does not exist', async () => {
    const { asUser, grant, video } = await setUpStreams()
    const ask = () => requestStream(asUser(), VIDEO, 'request-1')
    await assert.rejects(ask, NotFound)
    await grant('READ', 'ADMIN', 'UPLOAD')
    await assert.rejects(ask, Forbidden)
    assert.equal(await video(), undefined)
    await grant('WRITE')
    await ask()
    assert.equal((await video()).stream?.state, 'queued')
  })

  test('a read-only copy gives no right to it', async () => {
    const { put, asUser, grant, media, video } = await setUpStreams()
    await grant('READ', 'WRITE')
    await put({ readOnlyIn: media.folders.map(Number) })
    await assert.rejects(requestStream(asUser(), VIDEO, 'request-1'), Forbidden)
    assert.equal(await video(), undefined)
  })

  test('needs a video, that is there', async () => {
    const { asAdmin, put } = await setUpStreams()
    await put({ kind: 'image' })
    await assert.rejects(requestStream(asAdmin(), VIDEO, 'r'), {
      name: Invalid.name,
      code: 'not_a_video',
      message: 'id must be the id of a video.',
    })
    await put({ state: 'importing' })
    await assert.rejects(requestStream(asAdmin(), VIDEO, 'r'), { name: Conflict.name, code: 'importing' })
    await assert.rejects(requestStream(asAdmin(), toMediaId(2), 'r'), NotFound)
  })

  test("needs that the file's company may make streams, whatever other company the caller is in may", async () => {
    const { asAdmin, asUser, library, companyId, video } = await setUpStreams()
    await setStreaming(library, companyId, false)
    await assert.rejects(requestStream(asAdmin(), VIDEO, 'r'), { name: Forbidden.name, code: 'streaming_not_enabled' })
    await assert.rejects(requestStream(asUser(), VIDEO, 'r'), NotFound, 'rights are asked first')
    const other = await openTestCompany(library)
    await setStreaming(library, other.companyId, true)
    await assert.rejects(requestStream(requestOf(library, other.admin), VIDEO, 'r'), NotFound)
    assert.equal(await video(), undefined)
  })
})

describe('the stream of a file', () => {
  test('is there for readers once it is available, also where the company may make no more', async () => {
    const { asAdmin, asUser, grant, library, companyId, video } = await setUpStreams()
    await assert.rejects(availableStream(asAdmin(), VIDEO), { name: NotFound.name, code: 'stream_not_found' })
    await requestStream(asAdmin(), VIDEO, 'r')
    for (const state of ['queued', 'encoding', 'failed'] as const) {
      const before = await video()
      await changeVideo(library, before, { stream: { ...before.stream!, state } })
      const code = state === 'failed' ? 'stream_failed' : 'stream_not_found'
      await assert.rejects(availableStream(asAdmin(), VIDEO), { name: NotFound.name, code }, state)
    }
    const before = await video()
    await changeVideo(library, before, { stream: { ...before.stream!, state: 'available' } })
    await setStreaming(library, companyId, false)
    assert.equal((await availableStream(asAdmin(), VIDEO)).encodingId, before.stream!.encodingId)
    await assert.rejects(availableStream(asUser(), VIDEO), { code: 'media_not_found' })
    await grant('WRITE')
    await assert.rejects(availableStream(asUser(), VIDEO), Forbidden)
    await grant('READ')
    assert.ok(await availableStream(asUser(), VIDEO))
  })

  test('is not there for a file that is being imported, as for one that has none', async () => {
    const { asAdmin, put } = await setUpStreams()
    await put({ state: 'importing' })
    await assert.rejects(availableStream(asAdmin(), VIDEO), { code: 'stream_not_found' })
  })
})
