import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { getVideo, isPending, type VideoRecord } from '../../../shared/library/videos/video.ts'
import type { MediaId } from '../../../shared/vocabulary/ids.ts'
import { PLAYLIST } from '../../../shared/vocabulary/video.ts'
import { Faults, ProcessEnded } from '../../support/faults.ts'
import { tries } from '../../support/tries.ts'
import { turnsOf } from '../../support/turns.ts'
import { setUp, type World } from './set-up.ts'

/** Longer than objects stay that nothing needs, and than all pauses. In seconds. */
const LONG = 1_000

/**
 * What happens, one after the other, while jobs run. After each there is a message, and `again` is one that comes twice. No job is lost of a video
 * that is removed: another start of it would begin anew, and only the operator's check would know of what that stores.
 */
const steps = fc
  .array(fc.constantFrom('stream', 'stream', 'subtitles', 'finish', 'finish', 'fail', 'lose', 'down', 'up', 'again', 'remove'), {
    minLength: 1,
    maxLength: 10,
  })
  .filter((happening) => !(happening.includes('lose') && happening.includes('remove')))
/**
 * At which of its calls a run crashes, in the order in which they begin. Of a video that is removed only runs that begin after that: of what one
 * stores in the middle of the removal, and dies, only the operator's check would know.
 */
const crashes = fc.array(fc.option(fc.tuple(fc.integer({ min: 1, max: 14 }), fc.constantFrom('before', 'after'))), { maxLength: 12 })

/** Lets something happen to a video. Changes that a request would make are made where a request could. */
async function happen(world: World, step: string, mediaId: MediaId): Promise<void> {
  const { transcoder, askForStream, putSubtitles, removeFile } = world
  const video = await getVideo(world.library, mediaId)
  const running = transcoder.jobs.filter((job) => job.mediaId === mediaId && job.state.state === 'running')
  if (step === 'stream' && video) await askForStream(mediaId)
  if (step === 'subtitles' && video) await putSubtitles(mediaId, 'da', randomUUID())
  if (step === 'finish') for (const job of running) await transcoder.finish(job)
  if (step === 'fail') for (const job of running) transcoder.fail(job, 'broken')
  if (step === 'lose') for (const job of running) transcoder.lose(job)
  if (step === 'down' || step === 'up') transcoder.isDown = step === 'down'
  if (step === 'remove') await removeFile(mediaId)
}

/** What a message is given back for. */
const comesAgain = (error: unknown): boolean => error instanceof ProcessEnded || error instanceof Conflict || error instanceof ObjectMissing

/** All that is public of a video's streams, also of former ones. */
async function publicKeysOf({ publicFiles }: World): Promise<string[]> {
  return Array.fromAsync(everyObject(publicFiles, 'streams/'), ({ key }) => key)
}

/** The record and what is stored say the same, and nothing else is left. */
async function assertRight(world: World, video: VideoRecord): Promise<void> {
  const now = await world.find(video.mediaId)
  const [stored, shown] = [await world.storedOf(video), await publicKeysOf(world)]
  if (!now) return assert.deepEqual([stored, shown], [[], []])
  const { preview, stream, subtitles = {}, dueAt } = now
  assert.deepEqual([isPending(preview), stream !== undefined && isPending(stream), dueAt], [false, false, undefined])
  if (stream) assert.equal((await getJob(world, `send-mail.stream-${stream.encodingId}`))?.asked, 1, 'its requester is told once')
  const ids = Object.values(subtitles).map(({ id }) => id)
  const expected = ids.map((id) => `subtitles/da.${id}.vtt`)
  const made = ['poster.0000001.jpg', 'poster.jpg', 'preview.mp4']
  if (preview.state === 'available') expected.push(...made.map((name) => `video/${preview.encodingId}/${name}`))
  assert.deepEqual(stored, expected)
  if (stream?.state !== 'available') return assert.deepEqual(shown, [])
  const prefix = videoObjects.stream(stream.encodingId)
  assert.deepEqual(
    shown.filter((key) => !key.startsWith(prefix) || key.includes('subtitles_')).map((key) => key.slice(prefix.length)),
    ids.flatMap((id) => [`subtitles_da_${id}.m3u8`, `subtitles_da_${id}_00000.vtt`, `subtitles_da_${id}_00001.vtt`]),
  )
  const playlist = await world.publicText(`${prefix}${PLAYLIST}`)
  assert.deepEqual(
    playlist.match(/subtitles_[^"]*/g) ?? [],
    ids.map((id) => `subtitles_da_${id}.m3u8`),
  )
}

test('whatever the order of runs and wherever they crash, what is stored is what the record says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, crashes, async (scheduler, happening, crashing) => {
      const world = await setUp()
      const { advance, library, transcoder, clock } = world
      const video = await world.video()
      const { mediaId } = video
      const [running, crashed]: [Promise<void>[], typeof crashing] = [[], [...crashing]]
      let left = 0
      let isRemoved = false
      const turns = turnsOf(scheduler)
      async function run(isAgain = false): Promise<void> {
        const mayCrash = !happening.includes('remove') || isRemoved
        const [call, when] = (mayCrash && crashed.shift()) || [Number.POSITIVE_INFINITY, 'before']
        const faults = new Faults(call, when === 'before' ? 'before' : 'after')
        const through = <Port extends object>(port: Port): Port => faults.in(turns(port))
        const { table, media, publicFiles } = library
        const ports = { table: through(table), media: through(media), publicFiles: through(publicFiles), transcoder: through(transcoder) }
        try {
          await advance(mediaId, { over: { ...library, ...ports }, isAgain })
        } catch (error) {
          if (!comesAgain(error)) throw error
          left += 1
        }
      }
      const all = async () => {
        running.push(run())
        for (const step of happening) {
          await scheduler.schedule(Promise.resolve(), step)
          await happen(world, step, mediaId)
          isRemoved ||= step === 'remove'
          running.push(run(step === 'again'))
        }
        await Promise.all(running)
      }
      await scheduler.waitFor(all())
      // Messages come again, nothing crashes any more, and the transcoder does its work.
      transcoder.isDown = false
      for (; left > 0; left -= 1) await advance(mediaId, { isAgain: true })
      for (let round = 0; round < 6; round += 1) {
        await happen(world, 'finish', mediaId)
        clock.advance(LONG)
        await advance(mediaId)
      }
      await assertRight(world, video)
    }),
    { numRuns: tries(15, 90) },
  )
})
