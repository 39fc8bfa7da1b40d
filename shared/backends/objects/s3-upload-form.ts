import type { Clock } from '../clock/port.ts'
import type { UploadForms } from './port.ts'
import { type Credentials, policyForms } from './upload-policy.ts'

/** Settings of the forms for a bucket of S3. */
export interface S3UploadForms {
  bucket: string
  region: string
  clock: Clock
  /** The form has the rights of these and is valid as long as they are. By default those of the function's role, from Lambda's environment. */
  credentials?: () => Promise<Credentials>
  /** Address of another service with S3's protocol; its URLs are path-style. */
  endpoint?: string | undefined
}

/** Upload forms for a bucket of S3. A form is a signature and needs no call, so functions that only make forms need no SDK. */
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
