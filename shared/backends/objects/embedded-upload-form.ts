import type { Clock } from '../clock/port.ts'
import type { UploadForms } from './port.ts'
import { policyForms } from './upload-policy.ts'

/** Region and access key in forms of the embedded store. It has only one of each. */
export const EMBEDDED_REGION = 'local'
export const EMBEDDED_ACCESS_KEY = 'embedded'

/** Settings shared by the maker and the receiver of the embedded store's forms. */
export interface EmbeddedUploads {
  /** Name of the bucket, in policies and answers. */
  bucket: string
  /**
   * Keys that verify forms; the first one signs. At least 32 random bytes each, in any encoding. Stored, so that open forms survive a
   * restart. Read each time, because they are rotated.
   */
  secrets(): Promise<readonly [string, ...string[]]>
  clock: Clock
}

/** Upload forms for the local server, with the same policies as S3's. */
export function embeddedUploadForms({ actionUrl, bucket, secrets, clock }: EmbeddedUploads & { actionUrl: string }): UploadForms {
  return policyForms({
    action: actionUrl,
    bucket,
    region: EMBEDDED_REGION,
    credentials: async () => ({ accessKeyId: EMBEDDED_ACCESS_KEY, secretAccessKey: (await secrets())[0] }),
    clock,
  })
}
