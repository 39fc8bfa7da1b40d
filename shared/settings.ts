/** An operator's settings of a deployment. Read from cdk.json context when deployed, from environment variables locally. */
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
  /** Whether each imported video gets a preview, or those for which somebody asks. */
  videoPreviews: VideoPreviews
  /** How long a company's feed keeps its events, in days: at most `MAX_EVENT_DAYS`. */
  eventDays: number
  /** The class in which S3 keeps originals of files that are imported from now on; its standard where absent. */
  storageClass?: StorageClass
  /** Address of the player's host, without trailing slash. */
  playerUrl: string
  /** Address of the CDN host, without trailing slash. */
  cdnUrl: string
  /** Address of the host to which forms and parts of uploads are sent; absent where it is the API's own. */
  uploadsUrl?: string
}

export const videoPreviews = ['always', 'on-demand'] as const
export type VideoPreviews = (typeof videoPreviews)[number]

/** Names are S3's. Files of both are read at once. */
export const storageClasses = ['STANDARD', 'INTELLIGENT_TIERING'] as const
export type StorageClass = (typeof storageClasses)[number]

/** A feed is a record of the company for at most 400 days. */
export const MAX_EVENT_DAYS = 400

/** S3 takes 5 GiB in one form. */
export const MAX_FORM_BYTES = 5 * 1024 ** 3
/** Largest file that parts may make. */
export const MAX_PARTS_BYTES = 100 * 1024 ** 3

/** Most files of a share link: each upload that gets room reads the others. */
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
