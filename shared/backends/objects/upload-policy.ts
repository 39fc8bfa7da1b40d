import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Clock } from '../clock/port.ts'
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
interface PolicyForms {
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

export const ALGORITHM = 'AWS4-HMAC-SHA256'

/** Access key, region and day of a signature. The signing key is derived from these and the secret. */
interface CredentialScope {
  accessKeyId: string
  /** `YYYYMMDD`, UTC. */
  day: string
  region: string
}

/** Value of the form field `x-amz-credential`. */
export function formatScope({ accessKeyId, day, region }: CredentialScope): string {
  return `${accessKeyId}/${day}/${region}/s3/aws4_request`
}

/** The scope in a field `x-amz-credential`; undefined if invalid. */
export function parseScope(value: string): CredentialScope | undefined {
  const [, accessKeyId, day, region] = /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(value) ?? []
  return accessKeyId && day && region ? { accessKeyId, day, region } : undefined
}

/**
 * Signs a POST policy with Signature Version 4.
 * @param policy the policy document as sent in the form, in base64
 * @returns 64 lower-case hexadecimal digits
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html
 */
export function signPolicy(policy: string, { day, region }: CredentialScope, secretAccessKey: string): string {
  // Key objects: an HMAC with bytes as its key takes five times as long.
  const key = [day, region, 's3', 'aws4_request'].reduce<string | KeyObject>(
    (signingKey, part) => createSecretKey(createHmac('sha256', signingKey).update(part).digest()),
    `AWS4${secretAccessKey}`,
  )
  return createHmac('sha256', key).update(policy).digest('hex')
}
