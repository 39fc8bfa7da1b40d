import type { Clock } from '../clock/port.ts'
import { ALGORITHM, formatScope, signPolicy } from './policy-signature.ts'
import type { UploadForm, UploadForms } from './port.ts'

/** Longest validity of a form, in milliseconds. */
const MAX_LIFETIME = 60 * 60 * 1000

/** Storage replaces this part of the key with the file's name. */
export const FILENAME_PLACEHOLDER = `\${filename}`

/** @param milliseconds lifetime of a form @throws RangeError above an hour */
export function checkLifetime(milliseconds: number): number {
  if (milliseconds > MAX_LIFETIME) throw new RangeError('an upload form lives for an hour at most')
  return milliseconds
}

/** Credentials of an AWS account, or of an embedded store with the same rules. */
export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** Only for temporary credentials of a role. */
  sessionToken?: string
}

/** The target of a form, and the key that signs it. */
export interface PolicyForms {
  /** URL that receives the form. */
  action: string
  bucket: string
  region: string
  credentials(): Promise<Credentials>
  clock: Clock
}

/**
 * Makes upload forms for the embedded store, in S3's format: a signed POST policy holds their limits, which storage checks.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export function policyForms({ action, bucket, region, credentials, clock }: PolicyForms): UploadForms {
  return {
    async uploadForm({ keyPrefix, minBytes, maxBytes, expires, redirect }): Promise<UploadForm> {
      const now = clock.now()
      checkLifetime(expires - now)
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials()
      const date = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
      const scope = { accessKeyId, day: date.slice(0, 8), region }
      const signed = [
        { name: 'success_action_redirect', value: redirect },
        { name: 'x-amz-algorithm', value: ALGORITHM },
        { name: 'x-amz-credential', value: formatScope(scope) },
        { name: 'x-amz-date', value: date },
        ...(sessionToken === undefined ? [] : [{ name: 'x-amz-security-token', value: sessionToken }]),
      ]
      const document = {
        expiration: new Date(expires).toISOString(),
        conditions: [
          { bucket },
          ['starts-with', '$key', keyPrefix],
          ['content-length-range', minBytes, maxBytes],
          ...signed.map(({ name, value }) => ({ [name]: value })),
        ],
      }
      const policy = Buffer.from(JSON.stringify(document)).toString('base64')
      return {
        action,
        fields: [
          { name: 'key', value: keyPrefix + FILENAME_PLACEHOLDER },
          ...signed,
          { name: 'policy', value: policy },
          { name: 'x-amz-signature', value: signPolicy(policy, scope, secretAccessKey) },
        ],
      }
    },
  }
}
