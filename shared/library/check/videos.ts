import { toMediaId } from '../../vocabulary/ids.ts'
import { LADDER, PLAYLIST } from '../../vocabulary/video.ts'
import { videoJob } from '../media/encoding-job.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import { videoObjects } from '../videos/objects.ts'
import { getVideo, isPending, previewOf, type StoredVideo, streamsOf, type VideoRecord } from '../videos/video.ts'
import { idIn } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** A long film takes hours, and many wait for each other on one machine: after a week something is stuck. In milliseconds. */
const ENCODED_WITHIN_MS = 7 * 86_400_000
/** A video's encodings are removed within minutes of its file, or once the transcoder is reachable: after a day something is stuck. */
const REMOVED_WITHIN_MS = 86_400_000
/** Objects that no record names are removed after a quarter of an hour. */
const UNNEEDED_FOR_MS = 3_600_000

const videoObject = /^(?<prefix>\d+\/(?<mediaId>\d+)\/)(?:video|subtitles)\//
const streamObject = /^streams\/[^/]*\//

/** Whether an object of the bucket `media` lies where those of videos do. */
export const isVideoObject = (object: string): boolean => videoObject.test(object)

/** Prefix of the stream that an object of the bucket `public` is of; undefined for other objects. */
export const streamPrefix = (object: string): string | undefined => streamObject.exec(object)?.[0]

/** Prefixes of the streams that a video has. */
export const streamPrefixes = (video: VideoRecord): string[] =>
  [...streamsOf(video), ...(video.replacedStreams ?? [])].map(({ encodingId }) => videoObjects.stream(encodingId))

/** Yields the problems of the record of a video. */
export async function* checkVideo({ table, media, publicFiles, clock }: Library, video: StoredVideo): AsyncGenerator<Problem> {
  const mediaId = toMediaId(idIn(video.pk))
  const now = clock.now()
  const file = await getMedia({ table }, mediaId)
  if (!file) {
    const tombstone = await getTombstone({ table }, mediaId)
    const deleted = tombstone ? Date.parse(tombstone.changedAt.slice(0, tombstone.changedAt.indexOf('#'))) : 0
    if (deleted < now - REMOVED_WITHIN_MS) yield problem('video_not_removed', idsOf(video))
    return
  }
  yield* ownProblems(video, now)
  const hasJob = await videoJob.find({ table }, String(mediaId))
  if ((pendingOf(video).length > 0 || !previewOf(video, file)) && !hasJob) yield problem('video_without_job', idsOf(video))
  const { stored, streamed } = objectsOf(video)
  for (const [bucket, objects] of [[media, stored] as const, [publicFiles, streamed] as const]) {
    for (const object of bucket ? objects : []) {
      if (!(await bucket?.head(object))) yield problem('video_object_missing', { ...idsOf(video), object })
    }
  }
}

/** Yields the problems of an object that lies where those of videos do. */
export async function* checkVideoObject({ table, media, clock }: Library, object: string): AsyncGenerator<Problem> {
  const { mediaId, prefix = '' } = videoObject.exec(object)?.groups ?? {}
  const video = await getVideo({ table }, toMediaId(Number(mediaId)))
  // Jobs store objects before a record names them.
  if (video && (objectsOf(video).stored.includes(object) || isOfPreview(video, object))) return
  const found = await media?.head(object)
  if (!found || found.modified > clock.now() - UNNEEDED_FOR_MS) return
  yield problem('video_object_unexpected', { company_id: Number.parseInt(prefix, 10), media_id: Number(mediaId), object })
}

/** Yields the problems of objects of a stream that no record of the table names. @param prefix of the objects */
export async function* checkStream({ publicFiles, clock }: Library, prefix: string): AsyncGenerator<Problem> {
  const [first] = (await publicFiles?.list(prefix, { limit: 1 }))?.objects ?? []
  if (first && first.modified <= clock.now() - UNNEEDED_FOR_MS) yield problem('stream_of_no_video', { object: prefix })
}

/** Keys of a video's objects: in the bucket `media`, and those that every stream has. */
function objectsOf(video: VideoRecord): { stored: string[]; streamed: string[] } {
  const { preview, stream, subtitles = {} } = video
  const stored = Object.entries(subtitles).map(([language, { id }]) => videoObjects.subtitles(video, language, id))
  if (preview.state === 'available') stored.push(videoObjects.preview(video, preview.encodingId))
  if (preview.hasPoster) stored.push(videoObjects.poster(video, preview.encodingId))
  const names = stream?.state === 'available' ? [LADDER, PLAYLIST] : []
  return { stored, streamed: names.map((name) => `${videoObjects.stream(stream!.encodingId)}${name}`) }
}

/** Whether an object belongs to a preview that is available or pending. Its pictures are candidates for the poster. */
const isOfPreview = (video: VideoRecord, object: string): boolean =>
  (isPending(video.preview) || video.preview.state === 'available') &&
  object.startsWith(videoObjects.previewFiles(video, video.preview.encodingId))

const pendingOf = (video: VideoRecord) => [video.preview, ...streamsOf(video)].filter(isPending)

function* ownProblems(video: VideoRecord, now: number): Generator<Problem> {
  if (pendingOf(video).some(({ asked }) => asked < now - ENCODED_WITHIN_MS)) yield problem('video_stuck', idsOf(video))
}

const idsOf = ({ companyId: company_id, mediaId: media_id }: VideoRecord) => ({ company_id, media_id })
