import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { invalidationJob, streamInvalidationKey } from '../../../shared/library/links/invalidation.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { LADDER } from '../../../shared/vocabulary/video.ts'
import { setUp } from './set-up.ts'

const HOUR = 3600

describe('a preview', () => {
  test('is queued, encoded and available', async () => {
    const { video, advance, read, transcoder, storedOf, media, table } = await setUp()
    const { mediaId, preview } = await video()
    assert.equal(await advance(mediaId), 60)
    const { jobId } = (await read(mediaId)).preview
    assert.deepEqual(
      transcoder.jobs.map(({ id, token }) => ({ id, token })),
      [{ id: jobId, token: preview.encodingId }],
    )
    await advance(mediaId)
    assert.equal((await read(mediaId)).preview.state, 'encoding')
    await transcoder.finish(transcoder.job('preview'))
    assert.equal(await advance(mediaId), undefined)
    const after = await read(mediaId)
    assert.equal(after.preview.state, 'available')
    const names = ['poster.0000001.jpg', 'poster.jpg', 'preview.mp4']
    assert.deepEqual(
      await storedOf(after),
      names.map((name) => `video/${preview.encodingId}/${name}`),
    )
    assert.equal(after.preview.hasPoster, true)
    assert.deepEqual((await getJob({ table }, `hash-poster.${mediaId}`))?.input, { mediaId })
    const poster = await media.get(videoObjects.poster(after, preview.encodingId))
    assert.deepEqual([poster.contentType, await text(poster.stream)], ['image/jpeg', `poster ${preview.encodingId}`])
  })

  test.each([['fails', 'it is no video']])('%s: what it stored is gone, the reason stays', async (_, reason) => {
    const { video, advance, read, transcoder, storedOf, lines } = await setUp()
    const { mediaId } = await video()
    await advance(mediaId)
    await transcoder.store(transcoder.job('preview'))
    transcoder.fail(transcoder.job('preview'), reason)
    await advance(mediaId)
    const after = await read(mediaId)
    assert.deepEqual([after.preview.state, after.preview.reason], ['failed', reason.slice(0, 500)])
    assert.deepEqual(await storedOf(after), [])
    assert.equal(lines.length, 1)
  })

  test('whose job is lost is encoded anew under another id, twice, and fails then', async () => {
    const { video, advance, read, transcoder } = await setUp()
    const { mediaId } = await video()
    const ids = new Set<string>()
    for (let times = 0; times < 3; times += 1) {
      await advance(mediaId)
      const { encodingId, state } = (await read(mediaId)).preview
      assert.equal(state, 'encoding')
      ids.add(encodingId)
      transcoder.lose(transcoder.job('preview'))
      await advance(mediaId)
    }
    assert.deepEqual([(await read(mediaId)).preview.state, ids.size], ['failed', 3])
  })
})

describe('a stream', () => {
  test('of which some file is missing at the end has failed', async () => {
    const { withPreview, askForStream, advance, read, transcoder, publicFiles, publicNames } = await setUp()
    const { mediaId } = await withPreview()
    await askForStream(mediaId)
    await advance(mediaId)
    const job = transcoder.job('stream')
    await transcoder.finish(job)
    await publicFiles.delete([`${videoObjects.stream((await read(mediaId)).stream!.encodingId)}${LADDER}`])
    await advance(mediaId)
    assert.deepEqual([(await read(mediaId)).stream?.state, await publicNames()], ['failed', []])
  })
})

describe('subtitles', () => {
  test('that were replaced stay for a while: players know the playlist that named them', async () => {
    const { withStream, putSubtitles, advance, read, clock, publicNames, storedOf } = await setUp()
    const { mediaId } = await withStream()
    await putSubtitles(mediaId, 'da', 'a1')
    await advance(mediaId)
    clock.advance(HOUR)
    await putSubtitles(mediaId, 'da', 'a2')
    await putSubtitles(mediaId, 'da', 'a3')
    assert.equal(await advance(mediaId), 900)
    const subtitles = async () => (await publicNames()).filter((name) => name.startsWith('subtitles_'))
    const names = (id: string) => [`subtitles_da_${id}.m3u8`, `subtitles_da_${id}_00000.vtt`, `subtitles_da_${id}_00001.vtt`]
    const newest = names('a3')
    assert.deepEqual(await subtitles(), [...names('a1'), ...newest])
    clock.advance(900)
    assert.equal(await advance(mediaId), undefined)
    assert.deepEqual(await subtitles(), newest)
    const after = await read(mediaId)
    assert.deepEqual(
      (await storedOf(after)).filter((key) => key.includes('subtitles')),
      ['subtitles/da.a3.vtt'],
    )
  })
})

describe('a video whose file is gone', () => {
  test('is removed with all that was made of it, and edges forget its stream', async () => {
    const { withStream, putSubtitles, removeFile, advance, find, storedOf, publicNames, table } = await setUp()
    const video = await withStream()
    await putSubtitles(video.mediaId, 'da', 'a1')
    await advance(video.mediaId)
    await removeFile(video.mediaId)
    assert.equal(await advance(video.mediaId), undefined)
    assert.deepEqual([await find(video.mediaId), await storedOf(video), await publicNames()], [undefined, [], []])
    assert.notEqual(await table.get(streamInvalidationKey(video.stream.encodingId)), undefined)
    assert.equal(await advance(video.mediaId), undefined)
  })

  test('while it is encoded: its jobs are ended, and what they stored until then is gone', async () => {
    const { video, askForStream, removeFile, advance, find, transcoder, storedOf, publicNames, library } = await setUp()
    const { mediaId, ...rest } = await video()
    await askForStream(mediaId)
    await advance(mediaId)
    await removeFile(mediaId)
    transcoder.cancelsSlowly = true
    assert.equal(await advance(mediaId), 60)
    assert.equal(transcoder.cancelled.length, 2)
    for (const job of transcoder.jobs) await transcoder.finish(job)
    assert.equal(await advance(mediaId), undefined)
    assert.deepEqual([await find(mediaId), await storedOf({ mediaId, ...rest }), await publicNames()], [undefined, [], []])
    assert.equal(await invalidationJob.find(library, 'edges'), undefined)
  })
})
