import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { describe, test } from 'vitest'
import { s3PartUploads } from '../../../shared/backends/objects/s3-parts.ts'

describe('requests for parts', () => {
  const client = new S3Client({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const upload = { key: 'a/file', id: 'upload', bytes: 1, partBytes: 8 * 1024 ** 2 }
  const request = (bytes: number) =>
    s3PartUploads({ bucket: 'uploads', client }).partRequest(upload, { number: 1, bytes, expires: Date.now() + 60_000 })

  // Signature Version 4: a header that is named in X-Amz-SignedHeaders must be sent with the value that was signed.
  test('sign the length, also of an empty part, and ask for no header that a browser may not set', async () => {
    for (const bytes of [0, 1, upload.partBytes]) {
      const { url, headers } = await request(bytes)
      assert.equal(new URL(url).searchParams.get('X-Amz-SignedHeaders'), 'content-length;host')
      assert.deepEqual(headers, {})
    }
  })
})
