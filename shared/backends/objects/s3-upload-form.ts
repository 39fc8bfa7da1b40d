import type { Clock } from '../clock/port.ts'
import type { UploadForms } from './port.ts'
import { roleCredentials } from './role-credentials.ts'
import { bucketUrl, type S3Address } from './s3-address.ts'
import { type Credentials, policyForms } from './upload-policy.ts'

/** Settings of the forms for a bucket of S3. */
export interface S3UploadForms extends S3Address {
  clock: Clock
  /** The form has the rights of these and is valid as long as they are. By default those of the function's role, from Lambda's environment. */
  credentials?: () => Promise<Credentials>
}

/** Upload forms for a bucket of S3. A form is a signature and needs no call, so functions that only make forms need no SDK. */
export function s3UploadForms({ clock, credentials = roleCredentials, ...address }: S3UploadForms): UploadForms {
  const { bucket, region, endpoint } = address
  const url = bucketUrl(address)
  return policyForms({ action: endpoint ? url : `${url}/`, bucket, region, credentials, clock })
}
