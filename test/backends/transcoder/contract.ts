import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import type { JobState, Transcoder, TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { type CompanyId, type MediaId, toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { LADDER, type StreamOutput } from '../../../shared/vocabulary/video.ts'
import { secondsOf } from '../../support/hls.ts'
import { until } from '../../support/until.ts'
import { testFilm } from '../../support/videos.ts'

/** A transcoder with the buckets that it works on. */
export interface TranscoderUnderTest {
  transcoder: Transcoder
  media: Pick<Objects, 'put' | 'head' | 'get' | 'list'>
  publicFiles: Pick<Objects, 'head' | 'get' | 'list'>
  /** Videos of which it was told since the last call that a job has ended. */
  told(): Promise<{ companyId: CompanyId; mediaId: MediaId }[]>
  close(): Promise<void>
}

const COMPANY = toCompanyId(7)

/** The smaller rung is not made of 320 x 180 pixels by a plan; it is here so that there are two. */
const RUNGS = [
  { name: '180p', width: 320, height: 180, maxBitsPerSecond: 400_000 },
  { name: '120p', width: 214, height: 120, maxBitsPerSecond: 200_000 },
]

/**
 * What every transcoder promises.
 * @param video bytes of an mp4 of 320 x 180 pixels and a few seconds, with sound
 */
export function transcoderContract(name: string, open: () => Promise<TranscoderUnderTest>, video: () => Promise<Uint8Array>): void {
  describe(`transcoder contract: ${name}`, () => {
    function promises(title: string, check: (under: TranscoderUnderTest) => Promise<void>): void {
      test(title, async () => {
        const under = await open()
        try {
          await check(under)
        } finally {
          await under.close()
        }
      })
    }

    /** A job of a video that nothing else is made of. */
    function jobOf(kind: 'preview' | 'stream'): TranscodingJob {
      const token = randomBytes(16).toString('hex')
      const mediaId = toMediaId(randomBytes(3).readUIntBE(0, 3) + 1)
      const folder = `${COMPANY}/${mediaId}`
      const facts = { seconds: 3, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false }
      const source = { key: `${folder}/original`, mime: 'video/mp4', width: 320, height: 180, facts }
      const preview = {
        kind: 'preview',
        key: `${folder}/video/${token}/preview.mp4`,
        width: 320,
        height: 180,
        maxBitsPerSecond: 400_000,
      } as const
      const output = kind === 'preview' ? preview : ({ kind, prefix: `streams/${token}/`, rungs: RUNGS } as const)
      return { token, companyId: COMPANY, mediaId, source, output }
    }

    async function withSource({ media }: TranscoderUnderTest, job: TranscodingJob): Promise<TranscodingJob> {
      await media.put(job.source.key, await video(), { contentType: 'video/mp4' })
      return job
    }

    async function ended({ transcoder }: TranscoderUnderTest, jobId: string): Promise<JobState> {
      return until(async () => {
        const state = await transcoder.stateOf(jobId)
        return state.state !== 'running' && state
      })
    }

    /** Waits for a message about the job's video. */
    async function isTold(under: TranscoderUnderTest, { companyId, mediaId }: TranscodingJob): Promise<void> {
      await until(async () => (await under.told()).some((video) => video.companyId === companyId && video.mediaId === mediaId))
    }

    async function done(under: TranscoderUnderTest, job: TranscodingJob): Promise<void> {
      const id = await under.transcoder.start(await withSource(under, job))
      await isTold(under, job)
      assert.deepEqual(await ended(under, id), { state: 'done' })
    }

    promises('a preview is one mp4 that plays while it is loaded, however often it is asked for', async (under) => {
      const job = await withSource(under, jobOf('preview'))
      const ids = [await under.transcoder.start(job), await under.transcoder.start(job)]
      await isTold(under, job)
      assert.deepEqual(await ended(under, ids[0]!), { state: 'done' })
      // The same token starts nothing, neither while the job runs nor after it, and to cancel what has ended does nothing.
      ids.push(await under.transcoder.start(job))
      assert.equal(new Set(ids).size, 1)
      await under.transcoder.cancel(ids[0]!)
      await under.transcoder.cancel(randomBytes(16).toString('hex'))
      assert.deepEqual(await under.transcoder.stateOf(ids[0]!), { state: 'done' })
      const key = job.output.kind === 'preview' ? job.output.key : ''
      const { contentType, stream } = await under.media.get(key)
      assert.equal(contentType, 'video/mp4')
      const boxes = boxesOf(await buffer(stream))
      assert.equal(boxes[0], 'ftyp')
      assert.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'), boxes.join(' '))
      const beside = await Array.fromAsync(everyObject(under.media, key.replace('preview.mp4', 'poster.')), (object) => object.key)
      assert.match(beside.at(-1) ?? '', /\/poster\.\d{7}\.jpg$/)
      assert.equal((await under.media.head(beside.at(-1)!))?.contentType, 'image/jpeg')
    })

    promises('a stream is a ladder, all that it names, and posters', async (under) => {
      const job = jobOf('stream')
      await done(under, job)
      const prefix = `streams/${job.token}/`
      const read = async (name: string) => text((await under.publicFiles.get(prefix + name)).stream)
      const { objects } = await under.publicFiles.list(prefix)
      const stored = new Set(objects.map(({ key }) => key.slice(prefix.length)))
      const ladder = await read(LADDER)
      const variants = ladder.split('\n').filter((line) => line.startsWith('#EXT-X-STREAM-INF:'))
      const sizes = variants.map((line) => /RESOLUTION=(\d+x\d+)/.exec(line)?.[1])
      assert.deepEqual(new Set(sizes), new Set(RUNGS.map(({ width, height }) => `${width}x${height}`)))
      for (const line of variants) assert.match(line, /(?=.*[:,]BANDWIDTH=\d+)(?=.*CODECS="avc1.*mp4a)(?=.*AUDIO=")/)
      const playlists = namesIn(ladder)
      assert.deepEqual(new Set(playlists), new Set([...RUNGS.map((rung) => `ladder_${rung.name}.m3u8`), 'ladder_audio.m3u8']))
      for (const playlist of playlists) {
        const written = await read(playlist)
        assert.match(written, /#EXT-X-MAP:URI=/)
        assert.match(written, /#EXT-X-PLAYLIST-TYPE:VOD[\s\S]*#EXT-X-ENDLIST/)
        for (const named of namesIn(written)) assert.ok(stored.has(named), `${named} is not there`)
      }
      assert.ok([...stored].some((named) => /^poster\.\d{7}\.jpg$/.test(named)))
    })

    promises('pictures of a stream last as long as its sound, where the job says that it goes on after them', async (under) => {
      const { output, ...job } = jobOf('stream')
      const film = await testFilm({ pictures: { seconds: 2, fps: 25 }, sounds: [{ seconds: 6 }] })
      await under.media.put(job.source.key, await readFile(film), { contentType: 'video/matroska' })
      const source = { ...job.source, mime: 'video/matroska' }
      const id = await under.transcoder.start({ ...job, source, output: { ...output, stillSeconds: 4 } as StreamOutput })
      assert.deepEqual(await ended(under, id), { state: 'done' })
      for (const part of ['180p', '120p', 'audio']) {
        const seconds = secondsOf(await text((await under.publicFiles.get(`streams/${job.token}/ladder_${part}.m3u8`)).stream))
        assert.ok(Math.abs(seconds - 6) < 0.2, `${part}: ${seconds} s`)
      }
    })

    promises('jobs that are started together all end, and each is told of', async (under) => {
      const jobs = [jobOf('preview'), jobOf('stream'), jobOf('preview')]
      const ids = await Promise.all(jobs.map(async (job) => under.transcoder.start(await withSource(under, job))))
      const waiting = new Set(jobs.map(({ mediaId }) => mediaId))
      while (waiting.size > 0) {
        for (const { mediaId } of await under.told()) waiting.delete(mediaId)
        await sleep(50)
      }
      for (const id of ids) assert.deepEqual(await ended(under, id), { state: 'done' })
    })

    promises('a file that is no video fails, says why, and is told of', async (under) => {
      const job = jobOf('stream')
      await under.media.put(job.source.key, Buffer.from('no video at all'), { contentType: 'video/mp4' })
      const id = await under.transcoder.start(job)
      await isTold(under, job)
      const state = await ended(under, id)
      assert.ok(state.state === 'failed' && state.reason.length > 0, JSON.stringify(state))
    })

    promises('a file that is gone fails and is told of', async (under) => {
      const job = jobOf('preview')
      const id = await under.transcoder.start(job)
      await isTold(under, job)
      assert.equal((await ended(under, id)).state, 'failed')
    })

    promises('a job that is cancelled ends and is told of', async (under) => {
      const job = await withSource(under, jobOf('stream'))
      const id = await under.transcoder.start(job)
      await under.transcoder.cancel(id)
      await isTold(under, job)
      // It may have been done by then.
      assert.notEqual((await ended(under, id)).state, 'gone')
    })

    promises('a job that nobody knows is gone', async ({ transcoder }) => {
      assert.deepEqual(await transcoder.stateOf(randomBytes(16).toString('hex')), { state: 'gone' })
    })
  })
}

/** Files that a playlist names. */
function namesIn(playlist: string): string[] {
  const attributes = [...playlist.matchAll(/^#EXT-X-(?:MAP|MEDIA):.*URI="([^"]+)"/gm)].map(([, uri]) => uri!)
  const lines = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return [...attributes, ...lines].map((name) => name.trim())
}

/** Types of the boxes that an mp4 is made of, in order. */
function boxesOf(bytes: Buffer): string[] {
  const types: string[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    types.push(bytes.toString('latin1', at + 4, at + 8))
    const size = bytes.readUInt32BE(at)
    if (size < 8) break
    at += size
  }
  return types
}
