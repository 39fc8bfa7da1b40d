import assert from 'node:assert/strict'
import { test } from 'vitest'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { ProblemCode } from '../../../shared/library/check/problem.ts'
import { jobKey } from '../../../shared/library/jobs/job.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { newEncodingId, videoKey } from '../../../shared/library/videos/video.ts'
import { setUp, type World } from '../videos/set-up.ts'

const DAY = 86_400

/** A video with preview, stream and subtitles; one of which all is being encoded; one of which nobody has asked for a preview. */
async function videos() {
  const world = await setUp()
  const { withStream, putSubtitles, advance, video, askForStream, table, media, publicFiles, clock } = world
  const { mediaId } = await withStream()
  await putSubtitles(mediaId, 'da', 'a1')
  await advance(mediaId)
  const pending = await video()
  await askForStream(pending.mediaId)
  await advance(pending.mediaId)
  const { mediaId: unasked } = await video()
  await table.delete(videoKey(unasked))
  const shown = await world.read(mediaId)
  return {
    ...{ ...world, shown, stream: shown.stream!, pending },
    /** What is wrong with videos and their objects. The set-up's files are no complete ones. */
    async check() {
      const problems = await checkLibrary({ table, scanner: table, media, publicFiles, clock }, { pauses: [0] })
      return problems
        .map(({ problem }) => problem)
        .filter((code) => /video|stream|public_object|object_unexpected|unknown_object/.test(code))
    },
  }
}

type Videos = Awaited<ReturnType<typeof videos>>

const put = (bucket: World['media'], key: string) => bucket.put(key, Buffer.from('x'), { contentType: 'text/plain' })

test.each<[what: string, damage: (world: Videos) => unknown, found: ProblemCode[]]>([
  [
    'a preview that is not stored',
    ({ media, shown }) => media.delete([videoObjects.preview(shown, shown.preview.encodingId)]),
    ['video_object_missing'],
  ],
  [
    'a poster that is not stored',
    ({ media, shown }) => media.delete([videoObjects.poster(shown, shown.preview.encodingId)]),
    ['video_object_missing'],
  ],
  [
    'a preview of no encoding',
    async ({ media, shown, clock }) => {
      await put(media, videoObjects.preview(shown, newEncodingId()))
      clock.advance(3600)
    },
    ['video_object_unexpected'],
  ],
  [
    'a stream of no video',
    async ({ publicFiles, clock }) => {
      const prefix = videoObjects.stream(newEncodingId())
      await put(publicFiles, `${prefix}a.m4s`)
      await put(publicFiles, `${prefix}b.m4s`)
      clock.advance(3600)
    },
    ['stream_of_no_video'],
  ],
  [
    'a video without a record',
    async ({ table, shown, clock }) => {
      await table.delete(videoKey(shown.mediaId))
      clock.advance(3600)
    },
    // Subtitles, preview, its poster and the picture that became that.
    ['stream_of_no_video', ...Array.from({ length: 4 }, () => 'video_object_unexpected' as const)],
  ],
  [
    'a record whose file was removed long ago',
    async ({ removeFile, media, shown, clock }) => {
      await removeFile(shown.mediaId)
      await media.delete([objectKeys.original(shown)])
      clock.advance(DAY + 1)
    },
    ['video_not_removed'],
  ],
  ['an encoding that takes more than a week', ({ clock }) => clock.advance(7 * DAY + 1), ['video_stuck']],
  ['an encoding that has no job', ({ table, pending }) => table.delete(jobKey(`encode-video.${pending.mediaId}`)), ['video_without_job']],
])('%s', async (_, damage, found) => {
  const world = await videos()
  await damage(world)
  assert.deepEqual((await world.check()).sort(), found)
})
