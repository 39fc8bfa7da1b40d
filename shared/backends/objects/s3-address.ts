/** A bucket of S3 or of a compatible service. */
export interface S3Address {
  bucket: string
  region: string
  /** Address of a compatible service, with path-style URLs. */
  endpoint?: string | undefined
}

/** URL of a bucket, without trailing slash. */
export function bucketUrl({ bucket, region, endpoint }: S3Address): string {
  return endpoint ? `${endpoint.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.${domain(region)}`
}

function domain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}
