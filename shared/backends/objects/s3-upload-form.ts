import type { Clock } from '../clock/port.ts'
import type { UploadForms } from './port.ts'
import { type Credentials, policyForms } from './upload-policy.ts'

/** What forms for a bucket of S3 are made of. */
export interface S3UploadForms {
  bucket: string
  region: string
  clock: Clock
  /** Whose rights the form has: it is good as long as they are. By default the function's role, as Lambda gives it in the environment. */
  credentials?: () => Promise<Credentials>
  /** Address of another service that speaks S3's protocol; it is asked path-style. */
  endpoint?: string | undefined
}

/** Upload forms for a bucket of S3. Needs no SDK: a form is a signature and no call, so functions that only make forms stay small. */
export function s3UploadForms({ bucket, region, clock, credentials = roleCredentials, endpoint }: S3UploadForms): UploadForms {
  const action = endpoint ? `${endpoint.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.${domain(region)}/`
  return policyForms({ action, bucket, region, credentials, clock })
}

function domain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}

async function roleCredentials(): Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('there are no credentials in the environment to sign upload forms with')
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}
