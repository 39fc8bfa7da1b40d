import type { EditableValues } from './editable-fields.ts'
import type { MediaKind } from './media-kind.ts'
import type { VideoFacts } from './video.ts'

/** An imported file in answers: a company's own or an item of the stock library. */
export type ShownMedia = EditableValues & {
  mediaId: number
  kind: MediaKind
  /** UNIX milliseconds */
  created: number
  filename: string
  /** Counts changes of the file and its metadata. Items of a provider have none. */
  version?: number
  /** Counts the files that it has had. Absent: 1. */
  fileNumber?: number
  /** Lower-case hex. Absent where there is no file. */
  md5?: string
  mime: string
  bytes: number
  /** Pixels as shown: rotated and, for videos, with square pixels. Null if unknown. */
  width: number | null
  height: number | null
  /** ThumbHash of its picture, in base64. Absent if there is no picture or the hash isn't made yet. */
  thumbhash?: string
  /** Carries Content Credentials (C2PA): a signature that any change of the file breaks. */
  contentCredentials?: true
  /** The facts of a video. Items of a provider have none. */
  video?: VideoFacts
  /** IPTC tags embedded in the file. */
  iptc: { [name: string]: string | number | (string | number)[] } | null
  /** Decimal degrees. */
  geolocation: { source: string; longitude: string; latitude: string } | null
  /** UNIX seconds */
  cameraCreated: number | null
  /** Keywords that a service suggested for its picture, most confident first. Separate from users' keywords. */
  suggestedKeywords: string[]
  /** The user who uploaded it; 0 for items of the stock library. */
  uploadedBy: number
  /** Id of the share link by which it was sent. */
  uploadedVia?: string
}
