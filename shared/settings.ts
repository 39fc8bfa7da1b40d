/** An operator's settings of a deployment. Read from the cdk.json context when deployed, from environment variables on one machine. */
export interface Settings {
  /** Prefix of authorization schemes, of the request id header and of `<brand>_id`: upper-case letters and digits. */
  brand: string
  /** Path segment of the stock library in `/search/<vendor>/download`. */
  vendor: string
  /** How long a token lives, in days. */
  tokenLifetimeDays: number
  /** Largest file that may be uploaded, in bytes. A form takes at most `MAX_FORM_BYTES` of it. */
  maxUploadBytes: number
  /** Most files that may be sent by one share link. */
  shareMaxFiles: number
  /** Most bytes that may be sent by one share link. */
  shareMaxBytes: number
  /** Whether every imported video gets a preview, or only those for which a user asks. */
  videoPreviews: VideoPreviews
  /** How long a company's feed keeps its events, in days: at most `MAX_EVENT_DAYS`. */
  eventDays: number
  /** S3's storage class for originals of newly imported files; its default if absent. */
  storageClass?: StorageClass
  /** Address of the player's host, without trailing slash. */
  playerUrl: string
  /** Address of the CDN host, without trailing slash. */
  cdnUrl: string
  /** Address of the host that forms and parts of uploads are sent to; the API's own if absent. */
  uploadsUrl?: string
}

export const videoPreviews = ['always', 'on-demand'] as const
export type VideoPreviews = (typeof videoPreviews)[number]

/** Names are S3's. Both classes can be read without delay. */
export const storageClasses = ['STANDARD', 'INTELLIGENT_TIERING'] as const
export type StorageClass = (typeof storageClasses)[number]

/** Longest time that a feed keeps its events, in days. */
export const MAX_EVENT_DAYS = 400

/** Largest file in one form: S3's limit. */
export const MAX_FORM_BYTES = 5 * 1024 ** 3
/** Largest file of a multipart upload. */
export const MAX_PARTS_BYTES = 100 * 1024 ** 3

/** Most files of a share link. The limit is needed because each upload that reserves room reads all others of the link. */
export const MAX_SHARE_FILES = 10_000
export const MAX_SHARE_BYTES = 10 * 1024 ** 4

export const defaultSettings = {
  brand: 'SVC',
  vendor: 'vendor',
  tokenLifetimeDays: 30,
  maxUploadBytes: MAX_FORM_BYTES,
  shareMaxFiles: 1_000,
  shareMaxBytes: 50 * 1024 ** 3,
  videoPreviews: 'always',
  eventDays: 90,
} as const satisfies Partial<Settings>
