/** A bucket of S3, or of another service with its protocol. */
export interface S3Address {
  bucket: string
  region: string
  /** Address of that service; its URLs are path-style. */
  endpoint?: string | undefined
}

/** URL of a bucket, without a slash at its end. */
export function bucketUrl({ bucket, region, endpoint }: S3Address): string {
  return endpoint ? `${endpoint.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.${domain(region)}`
}

function domain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}
