import type { Clock } from '../clock/port.ts'
import type { UploadForms } from './port.ts'
import { policyForms } from './upload-policy.ts'

/** What the forms of the embedded store name as region and access key: there is one of each. */
export const EMBEDDED_REGION = 'local'
export const EMBEDDED_ACCESS_KEY = 'embedded'

/** What the makers and the receiver of the embedded store's forms share. */
export interface EmbeddedUploads {
  /** Name of the bucket that forms post to; answers and policies carry it. */
  bucket: string
  /** Signs forms: at least 32 random bytes in any encoding, kept from start to start so that open forms stay good. */
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
