import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { describe, onTestFinished, test } from 'vitest'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { openEncoder } from '../../../infra/local/jobs/transcoding/encoder.ts'
import { startTranscoding } from '../../../infra/local/jobs/transcoding/transcoding.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import type { JobState, TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { videoJob } from '../../../shared/library/media/encoding-job.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { videoKey } from '../../../shared/library/videos/video.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { LADDER, ONLY_SOUND } from '../../../shared/vocabulary/video.ts'
import { until } from '../../support/until.ts'
import { testVideo, withVideos } from '../../support/videos.ts'

const COMPANY = toCompanyId(7)

/** The smaller rung is not made of 320 x 180 pixels by a plan; it is here so that there are two. */
const RUNGS = [
  { name: '180p', width: 320, height: 180, maxBitsPerSecond: 400_000 },
  { name: '120p', width: 214, height: 120, maxBitsPerSecond: 200_000 },
]

/** Jobs in a file, and what runs them in the server of one machine, for one test. */
async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  const temporaryDirectory = join(directory, 'temporary')
  mkdirSync(temporaryDirectory)
  const clock = systemClock
  const embedded = await openEmbeddedBackend({ directory, clock, baseUrl: 'http://127.0.0.1:1', mailSender: 'a@example.com' })
  const { transcoder, media, publicFiles, table } = embedded
  const running = startTranscoding(embedded, { encode: openEncoder(), clock, log: jsonLog(() => undefined), temporaryDirectory })
  onTestFinished(async () => {
    await running.stop()
    await embedded.close()
    await rm(directory, { recursive: true, force: true })
  })
  return {
    ...{ transcoder, media, publicFiles },
    /** Videos need a record to be told of. */
    async start(job: TranscodingJob): Promise<string> {
      const { companyId, mediaId } = job
      await table.put({ ...videoKey(mediaId), companyId, mediaId })
      return transcoder.start(job)
    },
    /** Waits until the job has ended, and a message about its video has come. */
    async ended(jobId: string, { mediaId }: TranscodingJob): Promise<JobState> {
      await until(async () => (await listJobs({ table }, [videoJob.name], {})).some(({ subject }) => subject === String(mediaId)))
      return until(async () => {
        const state = await transcoder.stateOf(jobId)
        return state.state !== 'running' && state
      })
    },
  }
}

/** A job of a video that nothing else is made of. */
function jobOf(kind: 'preview' | 'stream', mime = 'video/mp4'): TranscodingJob {
  const token = randomBytes(16).toString('hex')
  const mediaId = toMediaId(randomBytes(3).readUIntBE(0, 3) + 1)
  const folder = `${COMPANY}/${mediaId}`
  const facts = { seconds: 3, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false }
  const source = { key: `${folder}/original`, mime, width: 320, height: 180, facts }
  const preview = {
    kind: 'preview',
    key: `${folder}/video/${token}/preview.mp4`,
    width: 320,
    height: 180,
    maxBitsPerSecond: 400_000,
  } as const
  const output = kind === 'preview' ? preview : ({ kind, prefix: `streams/${token}/`, rungs: RUNGS, sounds: [ONLY_SOUND] } as const)
  return { token, companyId: COMPANY, mediaId, source, output }
}

const done: JobState = { state: 'done' }
const mp4 = { contentType: 'video/mp4' }

describe('the transcoder of one machine', withVideos, () => {
  test('a preview is one mp4 that plays while it is loaded, however often it is asked for', async () => {
    const { transcoder, media, start, ended } = await open()
    const job = jobOf('preview')
    await media.put(job.source.key, await readFile(await testVideo()), mp4)
    const ids = [await start(job), await start(job)]
    assert.deepEqual(await ended(ids[0]!, job), done)
    // The same token starts nothing, neither while the job runs nor after it, and to cancel what has ended does nothing.
    ids.push(await start(job))
    assert.equal(new Set(ids).size, 1)
    await transcoder.cancel(ids[0]!)
    assert.deepEqual(await transcoder.stateOf(ids[0]!), done)
    const key = job.output.kind === 'preview' ? job.output.key : ''
    const { contentType, stream } = await media.get(key)
    assert.equal(contentType, 'video/mp4')
    const bytes = await buffer(stream)
    assert.ok(bytes.indexOf('ftyp') === 4 && bytes.indexOf('moov') < bytes.indexOf('mdat'))
    const beside = await Array.fromAsync(everyObject(media, key.replace('preview.mp4', 'poster.')), (object) => object.key)
    assert.match(beside.at(-1) ?? '', /\/poster\.\d{7}\.jpg$/)
    assert.equal((await media.head(beside.at(-1)!))?.contentType, 'image/jpeg')
  })

  test('a stream is a ladder, all that it names, and posters', async () => {
    const { media, publicFiles, start, ended } = await open()
    const job = jobOf('stream')
    await media.put(job.source.key, await readFile(await testVideo()), mp4)
    assert.deepEqual(await ended(await start(job), job), done)
    const prefix = `streams/${job.token}/`
    const read = async (name: string) => text((await publicFiles.get(prefix + name)).stream)
    const stored = new Set((await publicFiles.list(prefix)).objects.map(({ key }) => key.slice(prefix.length)))
    const ladder = await read(LADDER)
    const playlists = namesIn(ladder)
    assert.deepEqual(new Set(playlists), new Set([...RUNGS.map((rung) => `ladder_${rung.name}.m3u8`), 'ladder_audio.m3u8']))
    for (const playlist of playlists) {
      const written = await read(playlist)
      assert.match(written, /#EXT-X-PLAYLIST-TYPE:VOD[\s\S]*#EXT-X-ENDLIST/)
      for (const named of namesIn(written)) assert.ok(stored.has(named), `${named} is not there`)
    }
    assert.ok([...stored].some((named) => /^poster\.\d{7}\.jpg$/.test(named)))
  })

  test('a file that is no video, or gone, fails, says why, and is told of; a job that nobody knows is gone', async () => {
    const { transcoder, media, start, ended } = await open()
    const [broken, missing] = [jobOf('stream'), jobOf('preview')]
    await media.put(broken.source.key, Buffer.from('no video at all'), mp4)
    for (const job of [broken, missing]) {
      const state = await ended(await start(job), job)
      assert.ok(state.state === 'failed' && state.reason.length > 0, JSON.stringify(state))
    }
    const unknown = randomBytes(16).toString('hex')
    await transcoder.cancel(unknown)
    assert.deepEqual(await transcoder.stateOf(unknown), { state: 'gone' })
  })

  test('a job that is cancelled ends and is told of', async () => {
    const { transcoder, media, start, ended } = await open()
    const job = jobOf('stream')
    await media.put(job.source.key, await readFile(await testVideo()), mp4)
    const id = await start(job)
    await transcoder.cancel(id)
    // It may have been done by then.
    assert.notEqual((await ended(id, job)).state, 'gone')
  })
})

/** Files that a playlist names. */
function namesIn(playlist: string): string[] {
  const attributes = [...playlist.matchAll(/^#EXT-X-(?:MAP|MEDIA):.*URI="([^"]+)"/gm)].map(([, uri]) => uri!)
  const lines = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return [...attributes, ...lines].map((name) => name.trim())
}
