import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, test } from 'vitest'
import { mediaConvert, mediaConvertClient } from '../../../shared/backends/transcoder/mediaconvert.ts'
import { JobRefused, type TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { type StandInOptions, startMediaConvert } from '../../support/aws/mediaconvert.ts'
import type { JobEvent } from '../../support/aws/mediaconvert-events.ts'
import { transcodeByFfmpeg } from '../../support/aws/mediaconvert-outputs.ts'
import { testVideo, withVideos } from '../../support/videos.ts'
import { temporaryBucket } from '../objects/temporary-bucket.ts'
import { transcoderContract } from './contract.ts'

const s3 = new S3Client({ forcePathStyle: true })
afterAll(() => s3.destroy())

const place = {
  queueArn: 'arn:aws:mediaconvert:us-east-1:000000000000:queues/Jobs',
  roleArn: 'arn:aws:iam::000000000000:role/jobs',
}

async function standIn(options: Partial<StandInOptions> = {}) {
  const [media, publicFiles] = [await temporaryBucket(s3), await temporaryBucket(s3)]
  const events: JobEvent[] = []
  const service = await startMediaConvert({
    transcode: transcodeByFfmpeg(s3),
    tell: async (event) => void events.push(event),
    ...options,
  })
  const client = mediaConvertClient({ endpoint: service.url })
  return {
    transcoder: mediaConvert({ ...place, mediaBucket: media.name, publicBucket: publicFiles.name, client }),
    media: media.objects,
    publicFiles: publicFiles.objects,
    events,
    service,
    async close() {
      client.destroy()
      await service.stop()
      await Promise.all([media.close(), publicFiles.close()])
    },
  }
}

const ENDED = ['COMPLETE', 'ERROR', 'CANCELED']

describe('over MediaConvert', withVideos, () => {
  transcoderContract(
    'MediaConvert',
    async () => {
      const { events, ...under } = await standIn()
      return {
        ...under,
        // What the rule of the stack passes on.
        told: async () =>
          events
            .splice(0)
            .filter(({ detail }) => ENDED.includes(detail.status))
            .map(({ detail: { userMetadata } }) => ({
              companyId: toCompanyId(Number(userMetadata.companyId)),
              mediaId: toMediaId(Number(userMetadata.mediaId)),
            })),
      }
    },
    async () => readFile(await testVideo({ seconds: 3 })),
  )
})

describe('MediaConvert', () => {
  const job: TranscodingJob = {
    token: '0123456789abcdef0123456789abcdef',
    companyId: toCompanyId(7),
    mediaId: toMediaId(8),
    source: {
      key: '7/8/original',
      mime: 'video/mp4',
      width: 1280,
      height: 720,
      facts: { seconds: 3, frameRate: 25, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false },
    },
    output: { kind: 'preview', key: '7/8/video/1/preview.mp4', width: 1280, height: 720, maxBitsPerSecond: 3_500_000 },
  }

  test('a token is one job, also after the time for which the service knows it', async () => {
    const { transcoder, service, close } = await standIn({ transcode: async () => {}, tokenSeconds: 0 })
    try {
      const first = await transcoder.start(job)
      await sleep(20)
      assert.equal(await transcoder.start(job), first)
      assert.notEqual(await transcoder.start({ ...job, token: `${job.token}2` }), first)
      assert.equal(service.created, 2)
    } finally {
      await close()
    }
  })

  test('a job that the service finds wrong is refused, and the operator learns why', async () => {
    const { transcoder, close } = await standIn({ transcode: async () => {} })
    try {
      const output = { ...job.output, width: 1281 }
      await assert.rejects(transcoder.start({ ...job, output }), (error) => error instanceof JobRefused && /even/.test(error.message))
    } finally {
      await close()
    }
  })
})
