/** Regions that have Rekognition. Source: the endpoints that AWS publishes with its SDKs (botocore, `endpoints.json`). */
export const rekognitionRegions: readonly string[] = [
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-5', 'ap-southeast-7'],
  ...['ca-central-1', 'eu-central-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'il-central-1', 'sa-east-1'],
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'],
]

/** A sentence that explains why a region has no suggestions; undefined if it has them. */
export function lackOfKeywords(region: string): string | undefined {
  return rekognitionRegions.includes(region) ? undefined : `Keywords can't be suggested in ${region}, which has no Rekognition.`
}
