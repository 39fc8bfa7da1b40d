import { GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { type RekognitionStandIn, startRekognition } from '../support/aws/rekognition.ts'

/** What stands in for Rekognition beside an emulator. It reads every picture: the judge looks whether the caller may. */
export async function openSuggester(): Promise<RekognitionStandIn> {
  const s3 = new S3Client({ forcePathStyle: true })
  const suggester = await startRekognition(async (Bucket, Key) => {
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
      return Body && Buffer.from(await Body.transformToByteArray())
    } catch (error) {
      if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return undefined
      throw error
    }
  })
  return {
    ...suggester,
    async stop() {
      await suggester.stop()
      s3.destroy()
    },
  }
}
