import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

export const ALGORITHM = 'AWS4-HMAC-SHA256'

/** Access key, region and day of a signature. The signing key is derived from these and the secret. */
export interface CredentialScope {
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
