import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { describe, test } from 'vitest'
import { sharePage } from '../../../functions/share/share-page.ts'
import { cloudFrontUrls } from '../../../shared/backends/edge/cloudfront.ts'
import { s3PartUploads } from '../../../shared/backends/objects/s3-parts.ts'
import { bucketUrl } from '../../../shared/backends/objects/s3-values.ts'
import { signingSecrets } from '../../backends/edge/signing-keys.ts'
import { TestClock } from '../../support/test-clock.ts'

const { secrets } = signingSecrets()
const clock = new TestClock()
const urls = cloudFrontUrls({ baseUrl: 'https://files.example', keyPairId: 'K123', secrets })

/** Sources by directive. */
async function policyOf(uploadsUrl: string | undefined) {
  const settings = uploadsUrl === undefined ? {} : { uploadsUrl }
  const { policy } = await sharePage({ urls, clock, settings }, 'https://api.example')
  return new Map(policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]))
}

describe('the page behind a share link', () => {
  test('connects to where parts and forms of uploads go, shows what is on the host of files, and nothing else', async () => {
    const location = { bucket: 'uploads-1x2y3z', region: 'eu-central-1' }
    const client = new S3Client({ ...location, credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' } })
    const uploads = bucketUrl(location)
    const upload = { key: 'a/file', id: 'upload', bytes: 1, partBytes: 8 * 1024 ** 2 }
    const part = await s3PartUploads({ ...location, client }).partRequest(upload, { number: 1, bytes: 1, expires: Date.now() + 60_000 })
    assert.equal(new URL(part.url).origin, uploads)

    const policy = await policyOf(uploads)
    assert.deepEqual(policy.get('connect-src'), ["'self'", uploads])
    assert.deepEqual(policy.get('img-src'), ["'self'", 'https://files.example', 'data:', 'blob:'])
    assert.deepEqual(policy.get('media-src'), ["'self'", 'https://files.example'])
    assert.deepEqual([policy.get('default-src'), policy.get('form-action')], [["'none'"], ["'none'"]])
  })

  test('sends to its own host where that takes uploads', async () => {
    assert.deepEqual((await policyOf(undefined)).get('connect-src'), ["'self'"])
  })
})
