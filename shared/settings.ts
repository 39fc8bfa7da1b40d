/** What an operator decides about a deployment. Read from cdk.json context when deployed, from environment variables locally. */
export interface Settings {
  /** Prefix of authorization schemes, of the request id header and of `<brand>_id`: upper-case letters and digits. */
  brand: string
  /** Path segment of the stock library in `/search/<vendor>/download`. */
  vendor: string
  /** How long a token lives, in days. */
  tokenLifetimeDays: number
  /** Largest file that may be uploaded, in bytes; S3 takes 5 GiB in one form post. */
  maxUploadBytes: number
  /** Address of the player's host, without trailing slash. */
  playerUrl: string
  /** Address of the CDN host, without trailing slash. */
  cdnUrl: string
}

export const defaultSettings = {
  brand: 'SVC',
  vendor: 'vendor',
  tokenLifetimeDays: 30,
  maxUploadBytes: 5 * 1024 ** 3,
} as const satisfies Partial<Settings>
