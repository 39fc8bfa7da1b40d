import type { Clock } from '../clock/port.ts'
import type { UploadForms } from './port.ts'
import { policyForms } from './upload-policy.ts'

/** Region and access key in the forms of the embedded store, which has one of each. */
export const EMBEDDED_REGION = 'local'
export const EMBEDDED_ACCESS_KEY = 'embedded'

/** What the maker and the receiver of the embedded store's forms share. */
export interface EmbeddedUploads {
  /** Name of the bucket that forms post to; it is in policies and answers. */
  bucket: string
  /** Signs forms: at least 32 random bytes in any encoding. Stored, so that open forms stay valid after a restart. */
  secret: string
  clock: Clock
}

/** Upload forms for the local server, with the same policies as S3's. */
export function embeddedUploadForms({ actionUrl, bucket, secret, clock }: EmbeddedUploads & { actionUrl: string }): UploadForms {
  return policyForms({
    action: actionUrl,
    bucket,
    region: EMBEDDED_REGION,
    credentials: async () => ({ accessKeyId: EMBEDDED_ACCESS_KEY, secretAccessKey: secret }),
    clock,
  })
}
