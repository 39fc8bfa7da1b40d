import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { NoFfmpeg, openEncoder } from '../../../../../infra/local/jobs/transcoding/encoder.ts'
import { ToolFailed, ToolUnavailable } from '../../../../../shared/tools/failure.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { ffmpeg, testVideo, withVideos } from '../../../../support/videos.ts'

describe('the encoder of one machine', withVideos, () => {
  let into: string
  beforeEach(() => {
    into = temporaryDirectory()
  })

  async function encoding() {
    const facts = { seconds: 1, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false }
    return {
      ...{ path: await testVideo(), into, signal: new AbortController().signal },
      source: { key: '1/2/original', mime: 'video/mp4', width: 320, height: 180, facts },
      output: { kind: 'preview', key: '1/2/video/3/preview.mp4', width: 320, height: 180, maxBitsPerSecond: 400_000 },
    } as const
  }

  test('looks for ffmpeg until there is one that starts, and keeps that: none is no fault of the video', async () => {
    const found = [undefined, { command: join(into, 'no-ffmpeg'), version: '7' }, ffmpeg]
    const encode = openEncoder(async () => found.shift())
    await assert.rejects(encode(await encoding()), NoFfmpeg)
    await assert.rejects(encode(await encoding()), ToolUnavailable)
    for (let round = 1; round <= 2; round += 1) {
      const files = await encode(await encoding())
      assert.deepEqual(files.map(({ name }) => name).sort(), ['poster.0000001.jpg', 'preview.mp4'])
    }
    assert.deepEqual((await readdir(into)).sort(), ['poster.0000001.jpg', 'preview.mp4'])
  })

  test.for([
    ['KILL', ToolUnavailable],
    ['TERM', ToolUnavailable],
    ['SEGV', ToolFailed],
  ] as const)('an ffmpeg that ends by SIG%s says what it should of the video', async ([signal, kind]) => {
    const command = join(into, 'ffmpeg')
    await writeFile(command, `#!/bin/sh\nkill -${signal} $$`, { mode: 0o700 })
    await assert.rejects(openEncoder(async () => ({ command, version: '7' }))(await encoding()), kind)
  })
})
