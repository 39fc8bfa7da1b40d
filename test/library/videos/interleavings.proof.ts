import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { LEASE_MS } from '../../../shared/library/jobs/perform.ts'
import { videoJob } from '../../../shared/library/media/encoding-job.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { transcodingEnded } from '../../../shared/library/videos/encoding-outcome.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { getVideo, isPending, streamsOf, type VideoRecord } from '../../../shared/library/videos/video.ts'
import { type MediaId, toStoredId } from '../../../shared/vocabulary/ids.ts'
import { PLAYLIST } from '../../../shared/vocabulary/video.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { turnsOf } from '../../support/turns.ts'
import { runVideoJob, runVideoJobs } from './run-job.ts'
import { setUp, type World } from './set-up.ts'

/** Longer than objects stay that nothing needs, than leases, and than all pauses. In seconds. */
const LONG = 7_200

/**
 * What happens, one after the other, while jobs run. After each a process looks for work. Of what ends a transcoder tells once, twice (`again`) or
 * not at all (`quiet`). No job is lost of a video that is removed: another start of it would begin anew, and only the operator's check would know of
 * what that stores.
 */
const steps = fc
  .array(
    fc.constantFrom(
      ...['stream', 'stream', 'subtitles', 'finish', 'finish', 'quiet', 'fail', 'lose', 'down', 'up', 'again', 'late', 'remove'],
      ...['exchange', 'exchange', 'back'],
    ),
    { minLength: 1, maxLength: 10 },
  )
  .filter((happening) => !(happening.includes('lose') && happening.includes('remove')))
/** At which of its calls a run crashes, in the order in which they begin. */
const crashes = fc.array(fc.option(fc.tuple(fc.integer({ min: 1, max: 24 }), fc.constantFrom('before', 'after'))), { maxLength: 12 })

/** Lets something happen to a video. Changes that a request would make are made where a request could. */
async function happen(world: World, step: string, mediaId: MediaId): Promise<void> {
  const { library, transcoder, clock, askForStream, putSubtitles, exchangeFile, removeFile } = world
  const video = await getVideo(library, mediaId)
  const running = transcoder.jobs.filter((job) => job.mediaId === mediaId && job.state.state === 'running')
  if (step === 'stream' && video) await askForStream(mediaId)
  if (step === 'subtitles' && video) await putSubtitles(mediaId, 'da', randomUUID())
  if (step === 'finish' || step === 'quiet' || step === 'again') for (const job of running) await transcoder.finish(job)
  if (step === 'fail') for (const job of running) transcoder.fail(job, 'broken')
  if (step === 'lose') for (const job of running) transcoder.lose(job)
  if (step === 'down' || step === 'up') transcoder.isDown = step === 'down'
  if (step === 'late') clock.advance(LEASE_MS / 1_000 + 1)
  if (step === 'exchange') await exchangeFile(mediaId, toStoredId(randomUUID()))
  if (step === 'back') await exchangeFile(mediaId, undefined)
  if (step === 'remove') await removeFile(mediaId)
  const told = { finish: 1, fail: 1, again: 2 }[step] ?? 0
  for (let times = 0; times < told && video; times += 1) await transcodingEnded(library, video)
}

/** All that is public of a video's streams, also of former ones. */
async function publicKeysOf({ publicFiles }: World): Promise<string[]> {
  return Array.fromAsync(everyObject(publicFiles, 'streams/'), ({ key }) => key)
}

/** The record and what is stored say the same, and nothing else is left. */
async function assertRight(world: World, video: VideoRecord): Promise<void> {
  const now = await world.find(video.mediaId)
  const [stored, shown] = [await world.storedOf(video), await publicKeysOf(world)]
  if (!now) return assert.deepEqual([stored, shown], [[], []])
  const { preview, stream, nextStream, replacedStreams = [], subtitles = {} } = now
  assert.deepEqual([preview, ...streamsOf(now)].filter(isPending), [])
  const { stored: present } = (await getMedia(world.library, video.mediaId))!
  assert.equal(preview.stored, present, 'its preview is of the present bytes')
  if (stream?.state === 'available' && nextStream?.state !== 'failed') assert.equal(stream.stored, present, 'its stream, too')
  assert.deepEqual([nextStream?.state ?? 'failed', replacedStreams], ['failed', []])
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
      const { library, transcoder, clock } = world
      const video = await world.video()
      const { mediaId } = video
      // A run that lost its lease because it was held up, and then crashes, may leave what only the next change of the video finds.
      const crashed = happening.includes('late') ? [] : [...crashing]
      const running: Promise<void>[] = []
      const turns = turnsOf(scheduler)
      async function run(): Promise<void> {
        const [call, when] = crashed.shift() ?? [Number.POSITIVE_INFINITY, 'before']
        const faults = new Faults(call, when === 'before' ? 'before' : 'after')
        const through = <Port extends object>(port: Port): Port => faults.in(turns(port))
        const { table, media, publicFiles } = library
        const ports = { table: through(table), media: through(media), publicFiles: through(publicFiles), transcoder: through(transcoder) }
        await unlessEnded(runVideoJob({ ...library, ...ports }))
      }
      const all = async () => {
        running.push(run())
        for (const step of happening) {
          await scheduler.schedule(Promise.resolve(), step)
          await happen(world, step, mediaId)
          running.push(run())
        }
        await Promise.all(running)
      }
      await scheduler.waitFor(all())
      // Nothing crashes any more, and the transcoder does its work, of which nobody tells.
      transcoder.isDown = false
      for (let round = 0; round < 20 && (await videoJob.find(library, String(mediaId))); round += 1) {
        await happen(world, 'quiet', mediaId)
        clock.advance(LONG)
        await runVideoJobs(library)
      }
      assert.equal(await videoJob.find(library, String(mediaId)), undefined)
      await assertRight(world, video)
    }),
    { numRuns: 90 },
  )
})
