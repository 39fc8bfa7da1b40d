import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { jobOf } from '../../../shared/library/encodings/encoding.ts'
import { transcodingEnded } from '../../../shared/library/encodings/outcome.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { invalidationJob, streamInvalidationKey } from '../../../shared/library/publishing/invalidation.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { LADDER, PLAYLIST } from '../../../shared/vocabulary/video.ts'
import { instead } from '../../support/instead.ts'
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

  test('waits for a transcoder that is down, however long', async () => {
    const { video, advance, read, transcoder, clock } = await setUp()
    const { mediaId } = await video()
    transcoder.isDown = true
    for (let minute = 0; minute < 60; minute += 1) {
      assert.equal(await advance(mediaId), 60)
      clock.advance(60)
    }
    assert.equal((await read(mediaId)).preview.state, 'queued')
    transcoder.isDown = false
    assert.equal(await advance(mediaId), 900)
    transcoder.isDown = true
    assert.equal(await advance(mediaId), 60)
    assert.equal((await read(mediaId)).preview.state, 'encoding')
  })

  test('is looked at again after a quarter of the time since it was asked for, or since the transcoder last told anything', async () => {
    const { video, advance, clock, library } = await setUp()
    const { mediaId, companyId } = await video()
    assert.equal(await advance(mediaId), 60)
    clock.advance(240)
    assert.equal(await advance(mediaId), 60)
    clock.advance(HOUR - 240)
    assert.equal(await advance(mediaId), HOUR / 4)
    await transcodingEnded(library, { mediaId, companyId })
    assert.equal(await advance(mediaId), 60)
    clock.advance(800)
    assert.equal(await advance(mediaId), 200)
  })
})

describe('a stream', () => {
  test('that failed has no objects, and can be asked for again', async () => {
    const { withPreview, askForStream, advance, read, transcoder, publicNames } = await setUp()
    const { mediaId } = await withPreview()
    await askForStream(mediaId)
    await advance(mediaId)
    await transcoder.store(transcoder.job('stream'))
    transcoder.fail(transcoder.job('stream'), 'broken')
    await advance(mediaId)
    assert.deepEqual([(await read(mediaId)).stream?.state, await publicNames()], ['failed', []])
    await askForStream(mediaId)
    await advance(mediaId)
    await transcoder.finish(transcoder.job('stream'))
    await advance(mediaId)
    assert.equal((await read(mediaId)).stream?.state, 'available')
  })

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
  test('are shown by a stream that was there before, and by one that comes after', async () => {
    const world = await setUp()
    const { withPreview, withStream, putSubtitles, askForStream, advance, read, transcoder, publicText } = world
    const shownBy = async (mediaId: Parameters<typeof advance>[0]) => {
      const { stream } = await read(mediaId)
      const playlist = await publicText(`${videoObjects.stream(stream!.encodingId)}${PLAYLIST}`)
      return [stream!.shows, playlist.match(/subtitles_[^"]*m3u8/g)]
    }
    const before = await withStream()
    await putSubtitles(before.mediaId, 'da', 'a1')
    await advance(before.mediaId)
    assert.deepEqual(await shownBy(before.mediaId), [['a1'], ['subtitles_da_a1.m3u8']])

    const after = await withPreview()
    await putSubtitles(after.mediaId, 'da', 'b1')
    await askForStream(after.mediaId)
    await advance(after.mediaId)
    await putSubtitles(after.mediaId, 'en', 'b2')
    await transcoder.finish(transcoder.job('stream'))
    await advance(after.mediaId)
    assert.deepEqual(await shownBy(after.mediaId), [
      ['b1', 'b2'],
      ['subtitles_da_b1.m3u8', 'subtitles_en_b2.m3u8'],
    ])
  })

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

  test('are those of the record where a run stores older ones after a newer run has ended', async () => {
    const { withStream, putSubtitles, advance, library, publicFiles, publicText } = await setUp()
    const { mediaId, stream } = await withStream()
    await putSubtitles(mediaId, 'da', 'a1')
    let isOvertaken = false
    const late = instead(publicFiles, {
      async put(key, ...others) {
        if (!isOvertaken && key.endsWith(PLAYLIST)) {
          isOvertaken = true
          await putSubtitles(mediaId, 'da', 'a2')
          await advance(mediaId)
        }
        return publicFiles.put(key, ...others)
      },
    })
    await advance(mediaId, { over: { ...library, publicFiles: late } })
    assert.match(await publicText(`${videoObjects.stream(stream.encodingId)}${PLAYLIST}`), /subtitles_da_a2\.m3u8/)
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

  test('while it is queued: a job whose start nobody noted is ended, too', async () => {
    const { video, removeFile, advance, find, transcoder, storedOf } = await setUp()
    const queued = await video()
    const { mediaId } = queued
    await transcoder.start(jobOf(queued, 'preview', queued.preview)!)
    await removeFile(mediaId)
    await transcoder.store(transcoder.job('preview'))
    assert.equal(await advance(mediaId), undefined)
    assert.deepEqual([transcoder.cancelled, await find(mediaId), await storedOf(queued)], [['job 1'], undefined, []])
  })
})
