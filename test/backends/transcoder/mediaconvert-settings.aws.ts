import assert from 'node:assert/strict'
import type { CreateJobCommandInput } from '@aws-sdk/client-mediaconvert'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { createJobInput } from '../../../shared/backends/transcoder/mediaconvert-settings.ts'
import { JobRefused, type TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { previewOutput, streamOutput } from '../../../shared/library/encodings/plan.ts'
import { toCompanyId, toEncodingId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { VideoFacts } from '../../../shared/vocabulary/video.ts'
import { brokenRules } from '../../support/aws/mediaconvert-rules.ts'
import { type ServiceModel, serviceModel } from '../../support/aws/service-model.ts'

const place = {
  queueArn: 'arn:aws:mediaconvert:eu-west-1:123456789012:queues/Jobs-1a2b3c',
  roleArn: 'arn:aws:iam::123456789012:role/transcoding',
  mediaBucket: 'library-media',
  publicBucket: 'library-public',
}

const facts: VideoFacts = { seconds: 20, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false }

interface Given {
  width: number
  height: number
  facts?: Partial<VideoFacts>
}

/** The jobs that the service makes of a video: the last one where its sound goes on after its pictures. */
function jobsOf({ width, height, facts: special }: Given): TranscodingJob[] {
  const encodingId = toEncodingId('0123456789abcdef0123456789abcdef')
  const source = { key: '7/8/original', mime: 'video/mp4', width, height, facts: { ...facts, ...special } }
  const outputs = [
    previewOutput({ width, height }, source.facts, `7/8/video/${encodingId}/preview.mp4`),
    streamOutput({ width, height }, source.facts, `streams/${encodingId}/`),
  ]
  const still = { ...outputs[1]!, stillSeconds: 30 }
  return [...outputs, still].map((output) => ({ token: encodingId, companyId: toCompanyId(7), mediaId: toMediaId(8), source, output }))
}

/** What is seldom, besides what is common. */
const anyFacts = fc.record({
  seconds: fc.constantFrom(null, 0, 0.4, 20, 36_000),
  frameRate: fc.constantFrom(null, 0.5, 1, 23.976, 25, 29.97, 50, 60.02, 90, 119.88, 240, 1000),
  videoCodec: fc.constantFrom(null, 'h264', 'hevc'),
  audioCodec: fc.constantFrom(null, 'aac', 'ac3'),
  hasAudio: fc.constantFrom(null, true, false),
  isHdr: fc.boolean(),
  audioTracks: fc.array(
    fc.record({
      language: fc.constantFrom(null, 'en', 'da', 'zh-Hant-TW', 'qaa'),
      name: fc.constantFrom(null, 'Commentary', 'Kommentar på dansk', 'Русский', 'a/b "c"'),
      channels: fc.constantFrom(null, 1, 2, 6, 8),
      isDefault: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
})

describe('jobs of MediaConvert', () => {
  let model: ServiceModel
  beforeAll(async () => {
    model = await serviceModel('mediaconvert')
  })
  const faultsOf = (input: CreateJobCommandInput) => [...model.faultsIn('CreateJobRequest', input, 'sdk'), ...brokenRules(input)]

  test.each([
    [1920, 1080],
    [1080, 1920],
    [1280, 720],
    [720, 576],
    [1080, 1080],
    [3840, 2160],
    [7680, 4320],
    [853, 481],
    [8000, 1000],
    [640, 32],
    [33, 33],
  ])('of a video of %d x %d are what its published model allows', (width, height) => {
    for (const job of jobsOf({ width, height })) assert.deepEqual(faultsOf(createJobInput(job, place)), [])
  })

  test('of any video are what its published model allows, or are refused because of their size', () => {
    const sides = fc.integer({ min: 1, max: 12_000 })
    fc.assert(
      fc.property(sides, sides, anyFacts, (width, height, special) => {
        for (const job of jobsOf({ width, height, facts: special })) {
          try {
            assert.deepEqual(faultsOf(createJobInput(job, place)), [])
          } catch (error) {
            if (!(error instanceof JobRefused)) throw error
            assert.ok(Math.min(width, height) < 32 || Math.max(width, height) / Math.min(width, height) > 30, `${width} x ${height}`)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the model and the rules find what is wrong', () => {
    const inputs: CreateJobCommandInput[] = jobsOf({ width: 1920, height: 1080 }).map((job) => createJobInput(job, place))
    const [preview, stream] = [inputs[0]!, inputs[1]!]
    const changed = (input: CreateJobCommandInput, change: (copy: CreateJobCommandInput) => void) => {
      const copy = structuredClone(input)
      change(copy)
      return faultsOf(copy)
    }
    const h264 = (copy: CreateJobCommandInput) =>
      copy.Settings!.OutputGroups![0]!.Outputs![0]!.VideoDescription!.CodecSettings!.H264Settings!
    const cases: [CreateJobCommandInput, (copy: CreateJobCommandInput) => void, RegExp][] = [
      [preview, (copy) => delete copy.Role, /Role is missing/],
      [preview, (copy) => Object.assign(copy, { Rolle: '' }), /nobody knows Rolle/],
      [preview, (copy) => Object.assign(copy, { Priority: 51 }), /51 is over 50/],
      [preview, (copy) => Object.assign(copy, { Priority: '1' }), /"1" is no integer/],
      [preview, (copy) => Object.assign(h264(copy), { CodecProfile: 'BEST' }), /"BEST" is none of/],
      [preview, (copy) => Object.assign(copy.Settings!.Inputs![0]!, { FileInput: 'video.mp4' }), /is not like/],
      [preview, (copy) => delete h264(copy).MaxBitrate, /QVBR has a bitrate at most/],
      [preview, (copy) => delete copy.Settings!.Inputs![0]!.AudioSelectors, /a sound comes from a selector/],
      [preview, (copy) => Object.assign(copy, { ClientRequestToken: 'x'.repeat(65) }), /64 ASCII/],
      [stream, (copy) => delete copy.Settings!.OutputGroups![0]!.Outputs![1]!.NameModifier, /names of their own/],
      [stream, (copy) => copy.Settings!.OutputGroups![0]!.Outputs!.pop(), /renditions of sound/],
      [stream, (copy) => copy.Settings!.OutputGroups!.shift(), /captured frames come beside/],
      [
        stream,
        (copy) => (copy.Settings!.OutputGroups![0]!.Outputs![0]!.AudioDescriptions = [{ AudioSourceName: 'Audio Selector 1' }]),
        /video or sound/,
      ],
    ]
    for (const [input, change, expected] of cases) assert.match(changed(input, change).join('\n'), expected)
  })
})
