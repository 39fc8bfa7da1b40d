import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { type EmbeddedBackend, openEmbeddedBackend } from '../../../../../infra/local/backend/embedded-backend.ts'
import { lanes } from '../../../../../infra/local/backend/embedded-transcoder.ts'
import type { BackgroundLoop } from '../../../../../infra/local/jobs/run-job.ts'
import type { Encode } from '../../../../../infra/local/jobs/transcoding/encode-job.ts'
import { NoFfmpeg } from '../../../../../infra/local/jobs/transcoding/encoder.ts'
import { startTranscoding, type TranscodingOptions } from '../../../../../infra/local/jobs/transcoding/transcoding.ts'
import type { TranscodingJob } from '../../../../../shared/backends/transcoder/port.ts'
import { claimNext } from '../../../../../shared/library/jobs/claim.ts'
import { getJob } from '../../../../../shared/library/jobs/job.ts'
import { LEASE_MS } from '../../../../../shared/library/jobs/perform.ts'
import { videoJob } from '../../../../../shared/library/media/encoding-job.ts'
import { videoKey } from '../../../../../shared/library/videos/video.ts'
import { jsonLog } from '../../../../../shared/log/json-log.ts'
import { ToolFailed } from '../../../../../shared/tools/failure.ts'
import type { EncodedFile } from '../../../../../shared/tools/video/encoding.ts'
import { toCompanyId, toMediaId } from '../../../../../shared/vocabulary/ids.ts'
import { ONLY_SOUND } from '../../../../../shared/vocabulary/video.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { RunningClock } from '../../../../support/test-clock.ts'
import { until } from '../../../../support/until.ts'

/** An encode that a test ends. */
type Begun = Parameters<Encode>[0] & { token: string; end(outcome?: Error): void }

/** Runs jobs with an encoder that does what the test says. */
describe('transcoding on one machine', () => {
  let directory: string
  let embedded: EmbeddedBackend
  let running: BackgroundLoop | undefined
  let begun: Begun[]
  /** Ids of jobs by their tokens. */
  let ids: Map<string, string>
  let log: Record<string, unknown>[]
  let free: number
  let clock: RunningClock

  beforeEach(async () => {
    directory = temporaryDirectory()
    ;[begun, ids, log, clock, free] = [[], new Map(), [], new RunningClock(), 1024 ** 4]
    mkdirSync(join(directory, 'temporary'))
    await open()
  })
  afterEach(close)

  async function open(): Promise<void> {
    embedded = await openEmbeddedBackend({ directory, clock, baseUrl: 'http://127.0.0.1:1', mailSender: 'a@example.com' })
  }

  async function close(): Promise<void> {
    await running?.stop()
    running = undefined
    await embedded.close()
  }

  const encode: Encode = (encoding) =>
    new Promise((resolve, reject) => {
      const { output, into, signal } = encoding
      const token = (output.kind === 'preview' ? output.key : output.prefix).split('/').at(-2) ?? ''
      const end = async (outcome?: Error) => (outcome ? reject(outcome) : resolve(await filesOf(output.kind, into)))
      signal.addEventListener('abort', () => reject(signal.reason))
      begun.push({ ...encoding, token, end })
    })

  function run(options: Partial<TranscodingOptions> = {}): void {
    const written = jsonLog((line) => log.push(JSON.parse(line)))
    running = startTranscoding(embedded, {
      encode,
      clock,
      log: written,
      temporaryDirectory: join(directory, 'temporary'),
      rest: 10,
      free: () => free,
      ...options,
    })
  }

  type Started = { company?: number; kind?: 'preview' | 'stream'; seconds?: number | null; size?: [number, number] }

  async function start(token: string, { company = 1, kind = 'preview', seconds = 1, size: [width, height] = [640, 360] }: Started = {}) {
    const key = `${company}/${token}/original`
    const facts = { seconds, frameRate: 25, videoCodec: 'h264', audioCodec: null, hasAudio: false, isHdr: false }
    const job: TranscodingJob = {
      ...{ token, companyId: toCompanyId(company), mediaId: toMediaId(5) },
      source: { key, mime: 'video/mp4', width, height, facts },
      output:
        kind === 'preview'
          ? { kind, key: `${company}/5/video/${token}/preview.mp4`, width: 640, height: 360, maxBitsPerSecond: 1_000_000 }
          : {
              ...{ kind, prefix: `streams/${token}/`, sounds: [ONLY_SOUND] },
              rungs: [{ name: '360p', width: 640, height: 360, maxBitsPerSecond: 1_000_000 }],
            },
    }
    await embedded.media.put(key, Buffer.from(`video ${token}`), { contentType: 'video/mp4' })
    await embedded.table.put({ ...videoKey(job.mediaId), mediaId: job.mediaId, companyId: job.companyId })
    ids.set(token, await embedded.transcoder.start(job))
  }

  const idOf = (token: string): string => ids.get(token) ?? token
  const jobs = () => ({ table: embedded.table, clock })

  /** Claims the next job as a server does that dies then. */
  const claim = () => claimNext(jobs(), lanes.preview.short.name, undefined, LEASE_MS)

  /** Waits for so many encodes that have begun. */
  const hasBegun = async (count: number): Promise<Begun> => {
    await until(() => begun.length >= count)
    assert.equal(begun.length, count)
    return begun[count - 1]!
  }

  const stateOf = (token: string) => embedded.transcoder.stateOf(idOf(token))
  const isDone = async (token: string) => until(async () => (await stateOf(token)).state === 'done')
  const hasFailed = async (token: string) => {
    await until(async () => (await stateOf(token)).state === 'failed')
    const state = await stateOf(token)
    return state.state === 'failed' ? state.reason : ''
  }
  /** Ends of jobs of the video that were told. */
  const told = async () => (await videoJob.find(embedded, '5'))?.asked ?? 0

  test('a job gets its source as a file, its results are stored with labels, and nothing of it remains in the temporary folder', async () => {
    run()
    await start('a')
    await start('b', { kind: 'stream' })
    await hasBegun(2)
    for (const { token, path, end } of begun) {
      assert.equal(await readFile(path, 'utf8'), `video ${token}`)
      end()
    }
    await isDone('a')
    await isDone('b')
    const { contentType, bytes } = (await embedded.media.head('1/5/video/a/preview.mp4'))!
    assert.deepEqual({ contentType, bytes }, { contentType: 'video/mp4', bytes: 11 })
    const { objects } = await embedded.publicFiles.list('streams/b/')
    const stored = await Promise.all(objects.map(async ({ key }) => embedded.publicFiles.head(key)))
    assert.deepEqual(
      stored.map((object) => [object?.key, object?.contentType, object?.cacheControl]),
      [
        ['streams/b/ladder.m3u8', 'application/vnd.apple.mpegurl', 'public, max-age=20'],
        ['streams/b/video_0.mp4', 'video/mp4', 'public, max-age=31536000, immutable'],
      ],
    )
    await until(() => readdirSync(join(directory, 'temporary')).length === 0)
    await until(async () => (await told()) === 2)
  })

  test('a preview does not wait for a stream, and of each only one is made at a time', async () => {
    run()
    await start('stream', { kind: 'stream' })
    const stream = await hasBegun(1)
    await start('preview')
    await start('later')
    await start('later stream', { kind: 'stream' })
    const preview = await hasBegun(2)
    assert.equal(preview.token, 'preview')
    preview.end()
    assert.equal((await hasBegun(3)).token, 'later')
    stream.end()
    assert.equal((await hasBegun(4)).token, 'later stream')
  })

  test('long videos wait behind short ones of others: by the pixels of all their frames, and where they tell nothing of them', async () => {
    await start('long', { company: 1, seconds: 30 * 60, size: [1_920, 1_080] })
    await start('large', { company: 2, seconds: 2 * 60, size: [7_680, 4_320] })
    await start('unknown', { company: 3, seconds: null, size: [1_920, 1_080] })
    await start('short', { company: 4, seconds: 9 * 60, size: [1_920, 1_080] })
    await start('shorter', { company: 4, seconds: 60, size: [1_920, 1_080] })
    await start('large but short', { company: 5, seconds: 10, size: [7_680, 4_320] })
    run()
    for (let count = 1; count <= 6; count += 1) (await hasBegun(count)).end()
    assert.deepEqual(
      begun.map(({ token }) => token),
      ['short', 'large but short', 'shorter', 'long', 'large', 'unknown'],
    )
  })

  test('a job that was done when the server died is told of at the next start, and not made again', async () => {
    await start('a')
    await claim()
    await embedded.table.put({ pk: 'TRANSCODED#a', sk: 'TRANSCODED', state: 'done', ttl: clock.now() / 1_000 + 60 })
    await close()
    await open()
    run()
    await until(async () => (await told()) === 1)
    await until(async () => (await getJob(jobs(), idOf('a'))) === undefined)
    assert.equal(begun.length, 0)
  })

  test('a cancelled job ends, one that waits at once; both are told of', async () => {
    await start('waits')
    await embedded.transcoder.cancel(idOf('waits'))
    assert.deepEqual(await stateOf('waits'), { state: 'failed', reason: 'it was cancelled' })
    await start('runs')
    run()
    const { signal } = await hasBegun(1)
    await embedded.transcoder.cancel(idOf('runs'))
    assert.match(await hasFailed('runs'), /cancelled/)
    await until(() => signal.aborted)
    await until(async () => (await told()) >= 2)
  })

  test('without ffmpeg jobs wait, which the operator is told once', async () => {
    run()
    await start('a')
    for (let count = 1; count <= 4; count += 1) (await hasBegun(count)).end(new NoFfmpeg())
    ;(await hasBegun(5)).end()
    await isDone('a')
    assert.deepEqual(
      log.filter(({ level }) => level === 'warn').map(({ message, reason }) => [message, reason]),
      [['videos wait', new NoFfmpeg().message]],
    )
  })

  test('on a full disk jobs wait: before they begin, in the middle, and those that find it full', async () => {
    free = 0
    run()
    await start('a')
    await until(() => log.some(({ message }) => message === 'videos wait'))
    assert.equal(begun.length, 0)
    free = 1024 ** 4
    const { signal } = await hasBegun(1)
    free = 0
    await until(() => signal.aborted)
    await until(() => readdirSync(join(directory, 'temporary')).length === 0)
    assert.deepEqual(await stateOf('a'), { state: 'running' })
    free = 1024 ** 4
    for (let count = 2; count <= 5; count += 1) {
      ;(await hasBegun(count)).end(Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' }))
    }
    ;(await hasBegun(6)).end()
    await isDone('a')
  })

  test('a job whose file is to blame fails at once; for other reasons it is tried three times', async () => {
    run()
    await start('bad')
    ;(await hasBegun(1)).end(new ToolFailed('no frames'))
    assert.equal(await hasFailed('bad'), 'no frames')
    await start('unlucky')
    for (let count = 2; count <= 4; count += 1) {
      ;(await hasBegun(count)).end(new Error('killed'))
      if (count < 4) await until(async () => (await getJob(jobs(), idOf('unlucky')))?.dueKey.startsWith('LATER') ?? false)
      clock.advance(30)
    }
    assert.equal(await hasFailed('unlucky'), 'killed')
    assert.equal(log.filter(({ level }) => level === 'error').length, 3)
    await until(async () => (await told()) === 2)
  })
})

/** What an encoder leaves. */
async function filesOf(kind: 'preview' | 'stream', into: string): Promise<EncodedFile[]> {
  const files =
    kind === 'preview'
      ? [{ name: 'preview.mp4', mime: 'video/mp4' }]
      : [
          { name: 'ladder.m3u8', mime: 'application/vnd.apple.mpegurl' },
          { name: 'video_0.mp4', mime: 'video/mp4' },
        ]
  for (const { name } of files) await writeFile(join(into, name), name)
  return files
}
