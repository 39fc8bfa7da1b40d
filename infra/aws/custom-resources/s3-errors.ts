/** Whether S3 answered with this error code. */
export function isNamed(error: unknown, code: 'NoSuchBucket' | 'NoSuchBucketPolicy'): boolean {
  return error instanceof Error && error.name === code
}
