import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Forbidden, NotFound } from '../../../shared/library/errors.ts'
import { videoJob } from '../../../shared/library/media/encoding-job.ts'
import { availableStream, requestStream } from '../../../shared/library/videos/streams.ts'
import { changeVideo, type Encoding } from '../../../shared/library/videos/video.ts'
import { setUpStreams, VIDEO } from './set-up-streams.ts'

describe('asking for a stream', () => {
  test('queues one, also of a video without a preview, and notes who is to be told', async () => {
    const { asAdmin, admin, video, library } = await setUpStreams()
    await requestStream(asAdmin(), VIDEO, 'request-1')
    const { stream, preview } = await video()
    assert.deepEqual([stream?.state, preview.state], ['queued', 'queued'])
    assert.deepEqual([stream?.requester, stream?.requestId], [admin.user.userId, 'request-1'])
    assert.match(stream!.encodingId, /^[0-9a-f]{32}$/)
    assert.equal((await videoJob.find(library, String(VIDEO)))?.asked, 2, 'for the preview, and for the stream')
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

  test('a read-only copy gives no right to it', async () => {
    const { put, asUser, grant, media, video } = await setUpStreams()
    await grant('READ', 'WRITE')
    await put({ readOnlyIn: media.folders.map(Number) })
    await assert.rejects(requestStream(asUser(), VIDEO, 'request-1'), Forbidden)
    assert.equal(await video(), undefined)
  })
})

test('a stream that could not be made is 404 with a code of its own', async () => {
  const { asAdmin, library, video } = await setUpStreams()
  await requestStream(asAdmin(), VIDEO, 'r')
  for (const [state, code] of [
    ['encoding', 'stream_not_found'],
    ['failed', 'stream_failed'],
  ] as const) {
    const before = await video()
    await changeVideo(library, before, { stream: { ...before.stream!, state } })
    await assert.rejects(availableStream(asAdmin(), VIDEO), { name: NotFound.name, code })
  }
})
