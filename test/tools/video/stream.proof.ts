import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import type { StreamOutput } from '../../../shared/vocabulary/video.ts'
import { EncodedVideo, smallStream, type Told } from '../../support/encoded-video.ts'
import { readStream } from '../../support/hls.ts'
import { type TestVideo, testVideo, withVideos } from '../../support/videos.ts'

/** A kind of video, and what its stream is like. Where nothing else is said it has 25 frames a second, sound, and the sizes of `smallStream`. */
interface Case {
  video: TestVideo
  seconds: number
  frameRate?: number
  hasAudio?: boolean
  sizes?: readonly (readonly [width: number, height: number])[]
  told?: Told
}

const cases: { [name: string]: Case } = {
  portrait: {
    video: { width: 360, height: 640 },
    seconds: 1,
    sizes: [
      [270, 480],
      [136, 240],
    ],
  },
  'of 120 frames a second': { video: { fps: 120 }, seconds: 1, frameRate: 60, told: { facts: { frameRate: 120 } } },
  'of 50 fields a second': { video: { fps: 50, isInterlaced: true }, seconds: 1, frameRate: 50, told: { facts: { frameRate: 25 } } },
  'of a variable frame rate': { video: { isVariable: true, seconds: 7 }, seconds: 7, frameRate: 15 },
  'without sound': { video: { sound: 'none' }, seconds: 1, hasAudio: false },
  'of one frame': { video: { seconds: 0.04, sound: 'none' }, seconds: 0.04, hasAudio: false },
}

const near = (a: number, b: number, within: number, what: string) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, not ${b}`)

describe('the stream of a video', withVideos, () => {
  for (const [name, { video, seconds, frameRate = 25, hasAudio = true, sizes, told }] of Object.entries(cases)) {
    it(`${name} can be played in each of its sizes`, async () => {
      const rungs = sizes?.map(([width, height], index) => ({
        ...smallStream.rungs[index]!,
        name: `${Math.min(width, height)}p`,
        width,
        height,
      }))
      const output: StreamOutput = { ...smallStream, rungs: rungs ?? smallStream.rungs }
      await using encoded = await EncodedVideo.open(await testVideo(video), output, told)
      const { variants, audio } = await readStream(encoded)
      assert.equal(audio !== undefined, hasAudio)
      const { width, height } = await sharp(encoded.path('poster.0000001.jpg')).metadata()
      assert.deepEqual({ width, height }, { width: output.rungs[0]!.width, height: output.rungs[0]!.height })
      if (audio) near(audio.seconds, seconds, 0.1, 'duration of the sound')
      assert.deepEqual(
        variants.map(({ variant }) => [variant.resolution?.width, variant.resolution?.height]),
        output.rungs.map(({ width, height }) => [width, height]),
      )
      for (const [index, { variant, part }] of variants.entries()) {
        near(part.seconds, seconds, Math.max(0.1, 1 / frameRate), 'duration')
        assert.equal(part.frames[0], 0)
        near(part.frames.length, seconds * frameRate, 2, 'frames')
        near(variant.frameRate!, part.frames.length / part.seconds, 0.001, 'frame rate')
        assert.match(variant.codecs!, hasAudio ? /^avc1\.6400[0-9a-f]{2},mp4a\.40\.2$/ : /^avc1\.6400[0-9a-f]{2}$/)
        // Players change between sizes where both begin anew.
        assert.deepEqual(part.keyframes, variants[0]!.part.keyframes)
        for (const [at, next] of part.keyframes.slice(1).entries()) near(next - part.keyframes[at]!, 2, 1 / frameRate, 'group of frames')
        const peak = Math.max(...part.rates) + Math.max(0, ...(audio?.rates ?? []))
        assert.ok(
          variant.bandwidth <= Math.ceil(peak) + 1 && variant.bandwidth >= variant.averageBandwidth!,
          `${variant.bandwidth} of ${peak}`,
        )
        const sound = hasAudio ? 140_000 : 0
        // The least frames are mostly their containers.
        if (seconds >= 1) assert.ok(variant.bandwidth <= output.rungs[index]!.maxBitsPerSecond * 1.2 + sound)
      }
    })
  }
})
