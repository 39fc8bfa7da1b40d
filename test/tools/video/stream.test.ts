import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { describe, it } from 'vitest'
import { Workspace } from '../../../shared/tools/workspace.ts'
import type { VideoFacts } from '../../../shared/vocabulary/video.ts'
import { EncodedVideo, smallPreview, smallStream } from '../../support/encoded-video.ts'
import { readStream } from '../../support/hls.ts'
import { runFfmpeg, testVideo, withVideos } from '../../support/videos.ts'

const near = (a: number, b: number, within: number, what: string) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, not ${b}`)

describe('the stream of a video', withVideos, () => {
  it('has no segment for the frame of sound by which it outlasts the picture', async () => {
    await using encoded = await EncodedVideo.open(await testVideo({ fps: 5, seconds: 6.01 }), smallStream)
    const { variants, audio } = await readStream(encoded)
    assert.deepEqual([audio!.rates.length, ...variants.map(({ part }) => part.rates.length)], [1, 1, 1])
    assert.ok(audio!.seconds > 6, `${audio!.seconds} s`)
    assert.equal(encoded.files.filter(({ name }) => name.endsWith('.m4s')).length, 3)
  })

  it('has its sound in time, and so has the preview', async () => {
    await using workspace = await Workspace.open('late-tone')
    const path = workspace.path('late-tone.mp4')
    const tone = 'aevalsrc=if(gte(t\\,0.5)\\,sin(2000*t)\\,0):sample_rate=48000:duration=1'
    // ffmpeg 5.1 takes FLAC in an mp4 for an experiment.
    const flac = ['-c:a', 'flac', '-strict', '-2']
    await runFfmpeg(['-v', 'error', '-i', await testVideo({ sound: 'none' }), '-f', 'lavfi', '-i', tone, '-c:v', 'copy', ...flac, path])
    await using stream = await EncodedVideo.open(path, smallStream)
    await using preview = await EncodedVideo.open(path, smallPreview)
    for (const made of [path, preview.path('preview.mp4'), stream.path('ladder_audio.m3u8')]) {
      const pcm = `${workspace.path('sound')}.pcm`
      await runFfmpeg(['-v', 'error', '-i', made, '-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-f', 's16le', pcm])
      const bytes = await readFile(pcm)
      const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
      near(samples.findIndex((sample) => Math.abs(sample) > 8_000) / 48_000, 0.5, 0.004, `the tone of ${made}`)
    }
  })

  it('has segments of six seconds, and a picture for before it plays', async () => {
    const told = { facts: { seconds: 7, frameRate: 30 } satisfies Partial<VideoFacts> }
    await using encoded = await EncodedVideo.open(await testVideo({ fps: 30, seconds: 7 }), smallStream, told)
    const { variants, audio } = await readStream(encoded)
    for (const { part } of variants) {
      assert.equal(part.rates.length, 2)
      assert.equal(part.frames.length, 210)
      assert.deepEqual(
        part.keyframes.map((time) => Math.round(time * 1_000)),
        [0, 2, 4, 6].map((second) => second * 1_000),
      )
    }
    assert.equal(audio?.rates.length, 2)
    const names = encoded.files.map(({ name }) => name).toSorted()
    assert.deepEqual(names, (await readdir(encoded.folder)).toSorted())
    assert.deepEqual(
      names.filter((name) => name.startsWith('poster')),
      ['poster.0000001.jpg'],
    )
    assert.equal(names.filter((name) => name.endsWith('.m4s')).length, 6)
    const types = new Set(encoded.files.map(({ name, mime }) => `${name.split('.').at(-1)} ${mime}`))
    assert.deepEqual([...types].toSorted(), [
      'jpg image/jpeg',
      'm3u8 application/vnd.apple.mpegurl',
      'm4s video/iso.segment',
      'mp4 video/mp4',
    ])
  })
})
