import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { openEmbeddedBackend } from '../../../../../infra/local/backend/embedded-backend.ts'
import { systemClock } from '../../../../../shared/backends/clock/port.ts'
import type { TranscodingJob } from '../../../../../shared/backends/transcoder/port.ts'
import { toCompanyId, toMediaId } from '../../../../../shared/vocabulary/ids.ts'
import { LADDER, ONLY_SOUND } from '../../../../../shared/vocabulary/video.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { until } from '../../../../support/until.ts'
import { testVideo, withVideos } from '../../../../support/videos.ts'
import { ServerProcess } from '../../server-process.ts'

const JOB: TranscodingJob = {
  ...{ token: '0123456789abcdef0123456789abcdef', companyId: toCompanyId(1), mediaId: toMediaId(5) },
  source: {
    ...{ key: '1/5/original', mime: 'video/mp4', width: 1280, height: 720 },
    facts: { seconds: 8, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false },
  },
  output: {
    ...{ kind: 'stream', prefix: 'streams/0123456789abcdef0123456789abcdef/' },
    rungs: [{ name: '720p', width: 1280, height: 720, maxBitsPerSecond: 3_500_000 }],
    sounds: [ONLY_SOUND],
  },
}

/** A data folder with a stream to make that takes some seconds, and servers that work on it. */
describe('a server that ends in the middle of an encode', withVideos, () => {
  let directory: string
  let servers: ServerProcess[]
  /** Of the job. */
  let id: string

  beforeEach(async () => {
    directory = temporaryDirectory()
    servers = []
    await withLibrary(async ({ media, transcoder }) => {
      await media.put(JOB.source.key, readFileSync(await testVideo({ width: 1280, height: 720, seconds: 8 })), {
        contentType: 'video/mp4',
      })
      id = await transcoder.start(JOB)
    })
  })
  afterEach(async () => {
    for (const { child } of servers) child.kill('SIGKILL')
    await Promise.all(servers.map(({ exited }) => exited))
    await until(() => processesOf(directory).length === 0)
  })

  async function withLibrary<T>(use: (library: Awaited<ReturnType<typeof openEmbeddedBackend>>) => Promise<T>): Promise<T> {
    const library = await openEmbeddedBackend({ directory, clock: systemClock, baseUrl: 'http://127.0.0.1:1', mailSender: 'a@example.com' })
    try {
      return await use(library)
    } finally {
      await library.close()
    }
  }

  /** Starts a server and waits until its encoder writes. */
  async function startEncoding(): Promise<ServerProcess> {
    const server = new ServerProcess(directory)
    servers.push(server)
    await server.ready()
    await until(() => globSync(join(directory, 'temporary', 'encode-*', 'results', '*')).length > 0)
    return server
  }

  const finish = () =>
    withLibrary(async ({ transcoder, publicFiles }) => {
      await until(async () => (await transcoder.stateOf(id)).state !== 'running')
      assert.deepEqual(await transcoder.stateOf(id), { state: 'done' })
      assert.ok(await publicFiles.head(`streams/${JOB.token}/${LADDER}`))
    })

  test('by kill -9 takes ffmpeg along, and the next server makes the stream', async () => {
    const server = await startEncoding()
    await server.end('SIGKILL')
    await until(() => processesOf(directory).length === 0)
    await startEncoding()
    await finish()
  })

  test('by SIGTERM ends ffmpeg at once and leaves the job to the next server', async () => {
    const server = await startEncoding()
    assert.equal(await server.end('SIGTERM'), 0)
    assert.deepEqual(processesOf(directory), [])
    assert.deepEqual(await withLibrary(({ transcoder }) => transcoder.stateOf(id)), { state: 'running' })
    await startEncoding()
    await finish()
  })
})

/** Command lines of processes that work in a folder or were told of it. Linux tells. */
function processesOf(directory: string): string[] {
  if (!existsSync('/proc/self/cwd')) return []
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const isOfFolder = command.includes(directory) || readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      return isOfFolder ? [command] : []
    } catch {
      // It has ended.
      return []
    }
  })
}
