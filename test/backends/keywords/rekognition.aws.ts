import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, test } from 'vitest'
import { rekognition, rekognitionClient } from '../../../shared/backends/keywords/rekognition.ts'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { startRekognition } from '../../support/aws/rekognition.ts'
import { temporaryBucket } from '../objects/temporary-bucket.ts'
import { picture, suggesterContract } from './contract.ts'

const s3 = new S3Client({ forcePathStyle: true })
afterAll(() => s3.destroy())

async function standIn() {
  const bucket = await temporaryBucket(s3)
  const service = await startRekognition(async (name, key) => {
    assert.equal(name, bucket.name)
    try {
      return await buffer((await bucket.objects.get(key)).stream)
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined
      throw error
    }
  })
  const client = rekognitionClient({ endpoint: service.url, maxAttempts: 1 })
  return {
    suggester: rekognition({ bucket: bucket.name, client }),
    put: async (key: string, bytes: Buffer, contentType: string) => void (await bucket.objects.put(key, bytes, { contentType })),
    fail: () => service.stop(),
    service,
    async close() {
      client.destroy()
      await service.stop()
      await bucket.close()
    },
  }
}

suggesterContract('Rekognition', standIn)

describe('Rekognition', () => {
  test('suggests what it is certain of, by requests that fit its published model', async () => {
    const { suggester, put, service, close } = await standIn()
    try {
      await put('7/8/renditions/a', await picture('jpeg'), 'image/jpeg')
      const confidences = (await suggester.suggest({ key: '7/8/renditions/a' }))?.map(({ confidence }) => confidence)
      assert.deepEqual(confidences, [99.5, 97.25, 93, 88, 80.5])
      assert.deepEqual(service.seen, ['7/8/renditions/a'])
    } finally {
      await close()
    }
  })
})
