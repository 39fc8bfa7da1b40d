import { randomBytes } from 'node:crypto'
import type { Key, Operations } from '../../backends/table/port.ts'
import { type CompanyId, type EncodingId, type MediaId, type StoredId, toEncodingId, type UserId } from '../../vocabulary/ids.ts'
import type { VideoFacts } from '../../vocabulary/video.ts'
import type { Actor } from '../actor.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { askForEncoding } from '../media/encoding-job.ts'

/** The encodings of a video. */
export type VideoRecord = {
  mediaId: MediaId
  companyId: CompanyId
  source: Source
  preview: Encoding
  /** Absent until somebody asks for it. */
  stream?: Stream
  /** The stream of the file's present bytes, while the stream is still of others: it takes the stream's place when it is there. */
  nextStream?: Stream
  /** Streams whose place was taken, while players may still use them. */
  replacedStreams?: ReplacedStream[]
  /** Attempts at a stream that were lost or failed: a job that nobody knows of may yet store something of them. */
  formerStreams?: EncodingId[]
  /** Subtitles by language, a canonical BCP 47 tag. */
  subtitles?: { [language: string]: Subtitles }
  /** When the transcoder last told that a job of the video has ended, in UNIX milliseconds. That is no change of the video. */
  toldAt?: number
  /** Counts all changes, for optimistic locking. */
  revision: number
  /** Who changed it last. */
  by?: Actor
}

/** The import's facts of the video, kept so that the same job can be asked for again when the file is gone. */
export type Source = {
  mime: string
  /** Pixels as shown; null where nobody knows. */
  width: number | null
  height: number | null
  facts: VideoFacts
}

/** An imported video: of a file's record what is needed to make something of it. */
export interface ImportedVideo extends Omit<Source, 'facts'> {
  mediaId: MediaId
  companyId: CompanyId
  /** Absent where nothing is known. */
  video?: VideoFacts
  stored?: StoredId
}

const NOTHING_KNOWN: VideoFacts = { seconds: null, frameRate: null, videoCodec: null, audioCodec: null, hasAudio: null, isHdr: false }

/** A stream that another took the place of, and when that was, in UNIX milliseconds. */
export type ReplacedStream = { encodingId: EncodingId; since: number }

/** One attempt to make a preview or a stream. */
export type Encoding = {
  encodingId: EncodingId
  /** Names the bytes that it is made of, as in a media record. */
  stored?: StoredId
  state: 'queued' | 'encoding' | 'available' | 'failed'
  /** UNIX milliseconds */
  asked: number
  /** The transcoder's, once it encodes. */
  jobId?: string
  /** So many earlier attempts were lost: the transcoder knew nothing of their jobs any more. */
  lost?: number
  /** Seconds for which its sound goes on after the pictures of the video, by a former attempt. Absent where no attempt told. */
  stillSeconds?: number
  /** A picture of it is there, too. */
  hasPoster?: true
  /** Why it failed, for the operator. */
  reason?: string
}

/** A public HLS stream. */
export type Stream = Encoding & {
  /** Who is told of its end. */
  requester: UserId
  /** The id of the request that asked for it; the e-mail quotes it. */
  requestId: string
  /** The requester has got the e-mail. */
  mailed?: boolean
  /** Ids of the subtitles that its playlist shows, sorted. Absent: none. */
  shows?: string[]
}

/** Subtitles of one language. */
export type Subtitles = {
  /** Names their object: 128 random bits, lower-case hex. */
  id: string
  /** The size of the WebVTT text. */
  bytes: number
  /** UNIX milliseconds */
  changed: number
}

export type StoredVideo = Key & VideoRecord

export const videoKey = (mediaId: MediaId): Key => ({ pk: `MEDIA#${mediaId}`, sk: 'VIDEO' })

/** The record of a video, where there is one: where previews are made on demand something has yet to ask for it. Says nothing of rights. */
export async function getVideo({ table }: Reading, mediaId: MediaId): Promise<VideoRecord | undefined> {
  return table.get<StoredVideo>(videoKey(mediaId))
}

/** 128 random bits, so that nobody guesses the path of a stream. */
export const newEncodingId = (): EncodingId => toEncodingId(randomBytes(16).toString('hex'))

/** An encoding that the transcoder has yet to be asked for. */
export const queuedEncoding = ({ clock }: Pick<Writing, 'clock'>, { stored }: Pick<Encoding, 'stored'>): Encoding => ({
  encodingId: newEncodingId(),
  ...(stored !== undefined && { stored }),
  state: 'queued',
  asked: clock.now(),
})

/** The preview of a file's present bytes; undefined while it is still of others. */
export const previewOf = (
  video: Pick<VideoRecord, 'preview'> | undefined,
  { stored }: Pick<ImportedVideo, 'stored'>,
): Encoding | undefined => (video?.preview.stored === stored ? video?.preview : undefined)

/** Its streams that the transcoder makes, or made. */
export const streamsOf = ({ stream, nextStream }: VideoRecord): Stream[] => [stream, nextStream].filter((each) => each !== undefined)

/** Whether the transcoder has yet to make it. */
export const isPending = ({ state }: Pick<Encoding, 'state'>): boolean => state === 'queued' || state === 'encoding'

/** The known facts of an imported video. */
export const sourceOf = ({ mime, width, height, video: facts = NOTHING_KNOWN }: ImportedVideo): Source => ({ mime, width, height, facts })

/** The operations that make a video's record, with its preview queued, and ask for the encoding. `video` fails where there is a record. */
export function videoCreation(library: Pick<Writing, 'clock' | 'by'>, media: ImportedVideo): Operations {
  const { mediaId, companyId } = media
  const video: VideoRecord = {
    ...{ mediaId, companyId, source: sourceOf(media), preview: queuedEncoding(library, media), revision: 1, by: library.by },
  }
  return {
    video: { put: { ...videoKey(mediaId), ...video }, if: { pk: { exists: false } } },
    encoding: askForEncoding(library, video),
  }
}

/**
 * The record of a video, which is made where there is none yet.
 * @param media a video, which is there: a record that outlives its file is removed
 */
export async function ensureVideo(library: Writing, media: ImportedVideo): Promise<VideoRecord> {
  const found = await getVideo(library, media.mediaId)
  if (found) return found
  await held(library.table.transact(videoCreation(library, media)))
  return ensureVideo(library, media)
}

/** The changes of a video; undefined takes away. */
export type VideoChange = Partial<
  Pick<VideoRecord, 'source' | 'preview' | 'stream' | 'nextStream' | 'replacedStreams' | 'formerStreams' | 'subtitles'>
>

/**
 * Changes the record of a video. Asks for its job where another encoding is queued or the subtitles are others, and for the hash of a new poster.
 * @param video as it was read
 * @returns the record after the change
 * @throws ConditionFailed, WriteConflict where the record has changed since it was read, or is gone
 */
export async function changeVideo(library: Writing, video: VideoRecord, set: VideoChange): Promise<VideoRecord> {
  const { operations, after } = videoChange(library, video, set)
  await library.table.transact(operations)
  return after
}

/** The operations of `changeVideo`. @returns also the record after the change */
export function videoChange(library: Pick<Writing, 'clock' | 'by'>, video: VideoRecord, set: VideoChange) {
  const { by } = library
  const { companyId, mediaId } = video
  const after: VideoRecord = { ...video, ...set, by, revision: video.revision + 1 }
  const asksForWork =
    'subtitles' in set ||
    isAsked(after.preview, video.preview) ||
    isAsked(after.stream, video.stream) ||
    isAsked(after.nextStream, video.nextStream)
  const remove = Object.entries(set).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const hasNewPoster = after.preview.hasPoster && !video.preview.hasPoster
  const operations: Operations = {
    video: {
      update: videoKey(mediaId),
      changes: { set: { ...set, by }, remove, add: { revision: 1 } },
      if: { revision: asRead(video.revision) },
    },
    ...(asksForWork && { encoding: askForEncoding(library, video) }),
    ...(hasNewPoster && { hash: posterHash.ask(library, { companyId, subject: String(mediaId), input: { mediaId } }) }),
  }
  return { operations, after }
}

/** Whether an encoding is queued that was not before. */
const isAsked = (encoding?: Encoding, before?: Encoding): boolean =>
  encoding?.state === 'queued' && encoding.encodingId !== before?.encodingId

/** Makes the ThumbHash of a video from its poster. */
export const posterHash = new JobKind<{ mediaId: MediaId }>('hash-poster')
