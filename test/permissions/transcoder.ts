import { once } from 'node:events'
import type { CreateJobCommandInput } from '@aws-sdk/client-mediaconvert'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { LADDER } from '../../shared/vocabulary/video.ts'
import { startMediaConvert } from '../support/aws/mediaconvert.ts'
import { wantedBy } from '../support/aws/mediaconvert-outputs.ts'

/** What stands in for MediaConvert beside an emulator. Its jobs make files of the right names, and no video. */
export interface Transcoder {
  url: string
  /** From now on jobs run until they are cancelled; or not any more. */
  hold(isHeld: boolean): void
  stop(): Promise<void>
}

const ladder = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180,FRAME-RATE=25\nladder_180p.m3u8\n'
const rung = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXTINF:1.0,\nladder_180p_00001.cmfv\n#EXT-X-ENDLIST\n'

/** @param queueUrl of the queue that gets what MediaConvert tells */
export async function openTranscoder(queueUrl: () => string): Promise<Transcoder> {
  const s3 = new S3Client({ forcePathStyle: true })
  const sqs = new SQSClient()
  let isHeld = false
  const service = await startMediaConvert({
    async transcode(job, signal) {
      if (isHeld) await once(signal, 'abort')
      else for (const file of filesOf(job)) await s3.send(new PutObjectCommand(file))
    },
    async tell(event) {
      if (event.detail.status === 'PROGRESSING') return
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(), MessageBody: JSON.stringify(event) }))
    },
  })
  return {
    url: service.url,
    hold(next) {
      isHeld = next
    },
    async stop() {
      await service.stop()
      s3.destroy()
      sqs.destroy()
    },
  }
}

function filesOf(job: CreateJobCommandInput) {
  const { bucket: Bucket, output } = wantedBy(job)
  const picture = { Bucket, Body: 'a picture', ContentType: 'image/jpeg' }
  if (output.kind === 'preview')
    return [
      { Bucket, Key: output.key, Body: 'a video', ContentType: 'video/mp4' },
      { ...picture, Key: output.key.replace('preview.mp4', 'poster.0000000.jpg') },
    ]
  return [
    { ...picture, Key: `${output.prefix}poster.0000000.jpg` },
    { Bucket, Key: `${output.prefix}${LADDER}`, Body: ladder, ContentType: 'application/vnd.apple.mpegurl' },
    { Bucket, Key: `${output.prefix}ladder_180p.m3u8`, Body: rung, ContentType: 'application/vnd.apple.mpegurl' },
  ]
}
