import assert from 'node:assert/strict'
import type { CreateJobCommandInput } from '@aws-sdk/client-mediaconvert'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { createJobInput } from '../../../shared/backends/transcoder/mediaconvert-settings.ts'
import { JobRefused, type TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { previewOutput, streamOutput } from '../../../shared/library/videos/outputs.ts'
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
})
