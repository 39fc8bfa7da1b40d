import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it, vi } from 'vitest'
import { isOfTheSystem, ToolBusy, ToolFailed, ToolTimedOut, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { confinement } from '../../../shared/tools/processes/confined.ts'
import { timeLimit } from '../../../shared/tools/processes/time-limit.ts'
import type { EncodeLimits } from '../../../shared/tools/video/limits.ts'
import { type FfmpegOutput, runFfmpeg } from '../../../shared/tools/video/run-ffmpeg.ts'
import { Workspace } from '../../../shared/tools/workspace.ts'
import { listening } from '../../support/listening.ts'
import { skippedFor } from '../../support/skipping.ts'
import { ffmpeg, withVideos } from '../../support/videos.ts'

const isConfined = (await confinement()).includes('unshare')

const limits: EncodeLimits = { time: timeLimit(600_000), stalled: timeLimit(600_000), bytes: 1e9, memoryMib: 6_144, pollMilliseconds: 50 }
/** A film without end, at the speed at which it would play. */
const endless = ['-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=64x64', '-flush_packets', '1', '-f', 'framecrc', 'frames']
/** One that takes all of the processor, and writes nothing. */
const unlimited = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360', '-f', 'null', '-']
const short = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=1']

async function run(
  args: readonly string[],
  changed: Partial<EncodeLimits> = {},
  signal = new AbortController().signal,
): Promise<FfmpegOutput> {
  await using workspace = await Workspace.open('run-ffmpeg')
  return await runFfmpeg({
    ffmpeg: ffmpeg!,
    args,
    path: '/secret/film',
    folder: workspace.directory,
    limits: { ...limits, ...changed },
    signal,
  })
}

/** Waits until a file grows no more, or has not begun to: what writes it is gone. */
async function untilStill(path: string): Promise<void> {
  for (let bytes = -1; ; await sleep(500)) {
    const { size } = await stat(path)
    if (size === bytes) return
    bytes = size
  }
}

describe('a run of ffmpeg', withVideos, () => {
  it('is ended when it takes too much of the processor', async () => {
    await assert.rejects(run(unlimited, { time: { processor: 300, wall: 600_000 } }), ToolTimedOut)
  })

  it('is ended when its time is over, and the film is not to blame for what others took', async () => {
    await assert.rejects(run(endless, { time: { processor: 600_000, wall: 200 } }), ToolBusy)
  })

  it('is ended when it writes too much', async () => {
    await assert.rejects(run(endless, { bytes: 1_000 }), { name: 'ToolFailed', message: 'encoding writes more than 1000 bytes' })
  })

  it('is ended when it does not go on', async () => {
    const still = ['-y', ...endless.slice(0, -1), '/dev/null']
    await assert.rejects(run(still, { stalled: { processor: 600_000, wall: 500 } }), ToolBusy)
    await assert.rejects(run(unlimited, { stalled: { processor: 300, wall: 600_000 } }), ToolTimedOut)
  })

  it('has no more memory than it may', async () => {
    await assert.rejects(run([...short, '-vf', 'scale=7680:4320,reverse', '-f', 'null', '-'], { memoryMib: 512 }), ToolFailed)
  })

  it('reaches no host, not even this one', skippedFor(!isConfined && 'this system lets nobody make a network of their own'), async () => {
    let asked = 0
    const host = createServer((socket) => {
      asked++
      socket.destroy()
    })
    const { port, stop } = await listening(host)
    const reading = ['-v', 'error', '-i', `tcp://127.0.0.1:${port}`, '-f', 'null', '-']
    await assert.rejects(run(reading), /Network is unreachable/)
    assert.equal(asked, 0)
    await stop()
  })

  it('is ended by its signal, for its reason', async () => {
    const reason = new Error('no longer wanted')
    const wanted = new AbortController()
    const running = run(endless, {}, wanted.signal)
    setTimeout(() => wanted.abort(reason), 200)
    await assert.rejects(running, reason)
    await assert.rejects(run(endless, {}, AbortSignal.abort(reason)), reason)
  })

  it('says what is wrong, without a path', async () => {
    await assert.rejects(run(['-v', 'error', '-i', '/secret/film', '-f', 'null', '-']), (error: Error) => {
      assert.ok(error instanceof ToolFailed)
      assert.match(error.message, /No such file/)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })

  it('does not blame the film for a full disk, nor for a missing ffmpeg', async () => {
    await using workspace = await Workspace.open('run-ffmpeg')
    await symlink('/dev/full', workspace.path('full.mp4'))
    const output = ['-y', '-c:v', 'mpeg4', 'full.mp4']
    const surroundings = { path: '/film', folder: workspace.directory, limits, signal: new AbortController().signal }
    await assert.rejects(runFfmpeg({ ffmpeg: ffmpeg!, args: [...short, ...output], ...surroundings }), (error: Error) => {
      assert.ok(isOfTheSystem(error))
      assert.equal('code' in error && error.code, 'ENOSPC')
      return true
    })
    const missing = { command: '/nowhere/ffmpeg', version: '0' }
    await assert.rejects(runFfmpeg({ ffmpeg: missing, args: [], ...surroundings }), ToolUnavailable)
  })

  it('ends when the service ends, however that does', async () => {
    await using workspace = await Workspace.open('run-ffmpeg')
    const module = JSON.stringify(new URL('../../../shared/tools/video/run-ffmpeg.ts', import.meta.url))
    const surroundings = JSON.stringify({ ffmpeg, args: endless, path: '/film', folder: workspace.directory, limits })
    const script = `const { runFfmpeg } = await import(${module}); await runFfmpeg({ ...${surroundings}, signal: new AbortController().signal })`
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
    await vi.waitUntil(async () => (await stat(workspace.path('frames')).catch(() => undefined))?.size, { timeout: 60_000, interval: 20 })
    service.kill('SIGKILL')
    await once(service, 'exit')
    await untilStill(workspace.path('frames'))
  })
})
