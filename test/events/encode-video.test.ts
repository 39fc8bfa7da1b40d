import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { noteServiceEvent } from '../../functions/events/note-service-event.ts'
import { jobs } from '../../functions/jobs.ts'
import { getJob } from '../../shared/library/jobs/job.ts'
import { cancelJob } from '../../shared/library/jobs/operator.ts'
import { stateOf } from '../../shared/library/jobs/states.ts'
import { videoJob } from '../../shared/library/media/encoding-job.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { CATALOGUE, type CompanyId, type MediaId } from '../../shared/vocabulary/ids.ts'
import { runVideoJobs } from '../library/videos/run-job.ts'
import { setUp } from '../library/videos/set-up.ts'

const MINUTE = 60

/** Videos with their jobs, and what EventBridge tells of the transcoder. */
async function withJobs() {
  const world = await setUp()
  const { library } = world
  const settings = { ...defaultSettings, cdnUrl: '', playerUrl: '' }
  const by = { kind: 'job', job: 'note-service-event', run: 'test' } as const
  const tell = (message: unknown) => noteServiceEvent.handle({ ...library, settings, by, message })
  return {
    ...world,
    tell,
    /** What the transcoder says of the end is not believed. */
    tellEnd: ({ companyId, mediaId }: { companyId: CompanyId; mediaId: MediaId }) =>
      tell({
        'detail-type': 'MediaConvert Job State Change',
        detail: { status: 'ERROR', userMetadata: { companyId: String(companyId), mediaId: String(mediaId) } },
      }),
    run: () => runVideoJobs(library),
    /** The job of a video, by its state. */
    job: async (mediaId: MediaId) => {
      const found = await videoJob.find(library, String(mediaId))
      return found && stateOf(found)
    },
  }
}

describe('the job of a video', () => {
  test('is asked for with the video, waits for the transcoder, runs when that tells of an end, and is done', async () => {
    const { video, run, job, read, transcoder, tellEnd } = await withJobs()
    const { companyId, mediaId } = await video()
    assert.equal(await job(mediaId), 'waiting')
    await run()
    assert.deepEqual([(await read(mediaId)).preview.state, await job(mediaId)], ['encoding', 'later'])
    await transcoder.finish(transcoder.job('preview'))
    await tellEnd({ companyId, mediaId })
    assert.equal(await job(mediaId), 'waiting')
    await run()
    assert.deepEqual([(await read(mediaId)).preview.state, await job(mediaId)], ['available', undefined])
  })

  test('of the stock catalogue, which belongs to company 0, is told of its encodings, too', async () => {
    const { video, run, transcoder, read, tellEnd } = await withJobs()
    const { companyId, mediaId } = await video({ companyId: CATALOGUE })
    await run()
    await transcoder.finish(transcoder.job('preview'))
    await tellEnd({ companyId, mediaId })
    await run()
    assert.equal((await read(mediaId)).preview.state, 'available')
  })

  test('told of ends twice, late, and of a video that is gone, changes nothing', async () => {
    const { withPreview, run, job, find, removeFile, tellEnd } = await withJobs()
    const { companyId, mediaId, preview } = await withPreview()
    for (let times = 0; times < 2; times += 1) await tellEnd({ companyId, mediaId })
    await run()
    assert.deepEqual([(await find(mediaId))?.preview, await job(mediaId)], [preview, undefined])
    await removeFile(mediaId)
    await run()
    await tellEnd({ companyId, mediaId })
    assert.deepEqual([await find(mediaId), await job(mediaId)], [undefined, undefined])
  })

  test('that the operator cancels leaves encodings that failed, of which the requester is told, and what they still store is removed', async () => {
    const { video, askForStream, run, read, library, transcoder, clock, job, tellEnd, storedOf, publicNames } = await withJobs()
    const before = await video()
    const { companyId, mediaId } = before
    await askForStream(mediaId)
    await run()
    assert.ok(await cancelJob(library, `encode-video.${mediaId}`, jobs['encode-video'].cancelled))
    const { preview, stream } = await read(mediaId)
    assert.deepEqual([preview.state, stream?.state, await job(mediaId)], ['failed', 'failed', undefined])
    assert.equal(preview.reason, 'the operator cancelled it')
    assert.ok(await getJob(library, `send-mail.stream-${stream?.encodingId}`))
    for (const each of transcoder.jobs) await transcoder.finish(each)
    await tellEnd({ companyId, mediaId })
    await run()
    clock.advance(15 * MINUTE)
    await run()
    assert.deepEqual([await storedOf(before), await publicNames(), await job(mediaId)], [[], [], undefined])
    await askForStream(mediaId)
    await run()
    assert.equal((await read(mediaId)).stream?.state, 'encoding')
  })
})

test.each<[string, unknown]>([
  ['of nothing known', { hello: 1 }],
  ['that is none', 'text'],
  ['of a job of somebody else', { 'detail-type': 'MediaConvert Job State Change', detail: { status: 'COMPLETE', userMetadata: {} } }],
  [
    'with an id that is none',
    { 'detail-type': 'MediaConvert Job State Change', detail: { userMetadata: { companyId: '1', mediaId: '1; DROP' } } },
  ],
  ['without a company', { 'detail-type': 'MediaConvert Job State Change', detail: { userMetadata: { mediaId: '1' } } }],
  ['of another kind', { 'detail-type': 'MediaConvert Queue Change', detail: { userMetadata: { companyId: '1', mediaId: '1' } } }],
])('an event %s is noted, and does nothing', async (_, message) => {
  const { tell, lines, library } = await withJobs()
  await tell(message)
  assert.equal(lines.length, 1)
  assert.equal(await videoJob.find(library, '1'), undefined)
})
