import assert from 'node:assert/strict'
import { test } from 'vitest'
import { bucketUrl } from '../../../shared/backends/objects/s3-values.ts'

test('a bucket is a host of its region, or a path of another service', () => {
  const bucket = { bucket: 'pictures', region: 'eu-west-1' }
  assert.equal(bucketUrl(bucket), 'https://pictures.s3.eu-west-1.amazonaws.com')
  assert.equal(bucketUrl({ ...bucket, region: 'cn-north-1' }), 'https://pictures.s3.cn-north-1.amazonaws.com.cn')
  for (const endpoint of ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/']) {
    assert.equal(bucketUrl({ ...bucket, endpoint }), 'http://127.0.0.1:9000/pictures')
  }
})
