import type { S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { type Clock, systemClock } from '../clock/port.ts'
import type { UploadForm, UploadForms } from './port.ts'
import { s3Client } from './s3.ts'
import { checkLifetime, FILENAME_PLACEHOLDER } from './upload-policy.ts'

interface S3UploadForms {
  bucket: string
  /** A form has the rights of the client's credentials, and is valid as long as they are. */
  client?: S3Client
  /** Must agree with the machine's clock, by which the SDK dates the signature. */
  clock?: Clock
}

/** Upload forms for a bucket of S3. Forms are signed locally, without a request. */
export function s3UploadForms({ bucket, client = s3Client(), clock = systemClock }: S3UploadForms): UploadForms {
  return {
    async uploadForm({ keyPrefix, minBytes, maxBytes, expires, redirect }): Promise<UploadForm> {
      const lifetime = checkLifetime(expires - clock.now())
      const { url, fields } = await createPresignedPost(client, {
        Bucket: bucket,
        Key: keyPrefix + FILENAME_PLACEHOLDER,
        Conditions: [['content-length-range', minBytes, maxBytes]],
        Fields: { success_action_redirect: redirect },
        Expires: Math.floor(lifetime / 1000),
      })
      return { action: url, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) }
    },
  }
}
