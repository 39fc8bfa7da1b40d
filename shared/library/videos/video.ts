import { randomBytes } from 'node:crypto'
import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import { type CompanyId, type EncodingId, type MediaId, toEncodingId, type UserId } from '../../vocabulary/ids.ts'
import type { VideoFacts } from '../../vocabulary/video.ts'
import type { Actor } from '../actor.ts'
import { asRead, held } from '../conditional.ts'
import { type Due, jobDue } from '../due.ts'
import type { Reading, Writing } from '../library.ts'
import { posterHash } from './poster-hash.ts'

/** What is made of a video. While something of it is to be made or removed, that is due. */
export type VideoRecord = Partial<Due> & {
  mediaId: MediaId
  companyId: CompanyId
  source: Source
  preview: Encoding
  /** Absent until somebody asks for it. */
  stream?: Stream
  /** Attempts at a stream that were lost or failed: a job that nobody knows of may yet store something of them. */
  formerStreams?: EncodingId[]
  /** By language, a canonical BCP 47 tag. */
  subtitles?: { [language: string]: Subtitles }
  /** Counts all changes, for optimistic locking. */
  revision: number
  /** Who changed it last. */
  by?: Actor
}

/** What the import found out about the video, kept so that the same job can be asked for again when the file is gone. */
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
  /** Absent where an earlier version imported it. */
  video?: VideoFacts
}

const NOTHING_KNOWN: VideoFacts = { seconds: null, frameRate: null, videoCodec: null, audioCodec: null, hasAudio: null, isHdr: false }

/** One attempt to make a preview or a stream. */
export type Encoding = {
  encodingId: EncodingId
  state: 'queued' | 'encoding' | 'available' | 'failed'
  /** UNIX milliseconds */
  asked: number
  /** The transcoder's, once it encodes. */
  jobId?: string
  /** So many earlier attempts were lost: the transcoder knew nothing of their jobs any more. */
  lost?: number
  /** A picture of it is there, too. Not known of what earlier versions made. */
  hasPoster?: true
  /** Why it failed, for the operator. */
  reason?: string
}

/** A public HLS stream. */
export type Stream = Encoding & {
  /** Who is told of its end. */
  requester: UserId
  /** Of the request that asked for it; the e-mail quotes it. */
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
  /** Of the WebVTT text. */
  bytes: number
  /** UNIX milliseconds */
  changed: number
}

export type StoredVideo = Key & VideoRecord

export const videoKey = (mediaId: MediaId): Key => ({ pk: `MEDIA#${mediaId}`, sk: 'VIDEO' })

/** The record of a video, where there is one: something has yet to ask for it where previews are made on demand, or where an earlier version imported the video. Says nothing of rights. */
export async function getVideo({ table }: Reading, mediaId: MediaId): Promise<VideoRecord | undefined> {
  return table.get<StoredVideo>(videoKey(mediaId))
}

/** 128 random bits, so that nobody guesses the path of a stream. */
export const newEncodingId = (): EncodingId => toEncodingId(randomBytes(16).toString('hex'))

/** An encoding that the transcoder has yet to be asked for. */
export const queuedEncoding = ({ clock }: Pick<Writing, 'clock'>): Encoding => ({
  encodingId: newEncodingId(),
  state: 'queued',
  asked: clock.now(),
})

/** Whether the transcoder has yet to make it. */
export const isPending = ({ state }: Pick<Encoding, 'state'>): boolean => state === 'queued' || state === 'encoding'

/** What is known of an imported video. */
export const sourceOf = ({ mime, width, height, video: facts = NOTHING_KNOWN }: ImportedVideo): Source => ({ mime, width, height, facts })

/** The operation that makes a video's record, with its preview queued. It fails where there is one. The committed record starts the encoding. */
export function videoCreation({ clock, by }: Pick<Writing, 'clock' | 'by'>, media: ImportedVideo): Operation {
  const { mediaId, companyId } = media
  const video: VideoRecord = {
    ...{ mediaId, companyId, source: sourceOf(media), preview: queuedEncoding({ clock }), revision: 1, by },
    ...jobDue(mediaId, clock.now()),
  }
  return { put: { ...videoKey(mediaId), ...video }, if: { pk: { exists: false } } }
}

/**
 * The record of a video, which is made where there is none yet.
 * @param media a video, which is there: a record that outlives its file is removed
 */
export async function ensureVideo(library: Writing, media: ImportedVideo): Promise<VideoRecord> {
  const found = await getVideo(library, media.mediaId)
  if (found) return found
  await held(library.table.transact({ video: videoCreation(library, media) }))
  return ensureVideo(library, media)
}

/**
 * Changes the record of a video. What it asks for is due, unless the change itself says when. A new poster is asked to be hashed.
 * @param video as it was read
 * @param also what is written in the same transaction
 * @returns the record after the change
 * @throws ConditionFailed, WriteConflict where the record has changed since it was read, or is gone
 */
export async function changeVideo(
  library: Writing,
  video: VideoRecord,
  set: Partial<Pick<VideoRecord, 'source' | 'preview' | 'stream' | 'formerStreams' | 'subtitles' | keyof Due>>,
  also: Operations = {},
): Promise<VideoRecord> {
  const { table, clock, by } = library
  const { companyId, mediaId } = video
  const after = { ...video, ...set }
  const asksForWork = 'subtitles' in set || isPending(after.preview) || (after.stream !== undefined && isPending(after.stream))
  const changes = { ...(asksForWork && jobDue(mediaId, clock.now())), ...set, by }
  const remove = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const update = {
    update: videoKey(mediaId),
    changes: { set: changes, remove, add: { revision: 1 } },
    if: { revision: asRead(video.revision) },
  }
  const hasNewPoster = after.preview.hasPoster && !video.preview.hasPoster
  const hash = hasNewPoster && { hash: posterHash.ask(library, { companyId, subject: String(mediaId), input: { mediaId } }) }
  await table.transact({ video: update, ...hash, ...also })
  return { ...video, ...changes, revision: video.revision + 1 }
}
