import { ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import { readInOrder } from '../../backends/objects/ranged-reading.ts'
import type { Table } from '../../backends/table/port.ts'
import { ToolFailed } from '../../tools/failure.ts'
import { writeOutline } from '../../tools/outline.ts'
import { usualName } from '../../tools/sniffing.ts'
import type { VideoProbe } from '../../tools/video/probe.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { VideoFacts } from '../../vocabulary/video.ts'
import { noteFacts } from '../media/facts.ts'
import { type AvailableMedia, objectKeys } from '../media/media.ts'
import { storedTags } from '../media/stored-tags.ts'
import { videoFacts } from './video-facts.ts'

/** What facts of films are found with. */
export interface Probing {
  table: Table
  media: Pick<ObjectReader, 'head' | 'get' | 'list'>
  videoProbe: VideoProbe
}

/** Whether a film lacks facts that imports note today, or has its type under a name of before. A container may not say them either. */
export function lacksFilmFacts({ kind, mime, video }: AvailableMedia): boolean {
  return kind === 'video' && (video === undefined || usualName(mime) !== mime || lacksFact(video))
}

const lacksFact = ({ seconds, frameRate, videoCodec, audioCodec, audioTracks, hasAudio }: VideoFacts) =>
  [seconds, frameRate, videoCodec, hasAudio].includes(null) || (hasAudio === true && (audioCodec === null || audioTracks === undefined))

/**
 * Notes facts of a film that it lacks. What is known of it stays. It reads the film's outline (tools/outline.ts), and the tags that the import kept.
 * @throws ObjectMissing where the file was deleted meanwhile
 */
export async function fillFilmFacts({ table, media: objects, videoProbe }: Probing, media: AvailableMedia): Promise<void> {
  const key = objectKeys.original(media)
  const found = await objects.head(key)
  if (!found) throw new ObjectMissing(key)
  const { etag, bytes } = found
  await using workspace = await Workspace.open('film-facts')
  const path = workspace.path('outline')
  await writeOutline(path, bytes, (start, end) => readInOrder(objects, { key, etag, bytes }, { start, end }))
  const probed = await videoProbe(path).catch((error: unknown) => {
    if (error instanceof ToolFailed) return undefined
    throw error
  })
  const tags = { printed: await storedTags(objects, media) }
  await noteFacts({ table }, media, { mime: usualName(media.mime), video: completed(media.video, videoFacts(probed, tags)) })
}

/** What was known, and of what was not what is known now. */
function completed(before: VideoFacts | undefined, now: VideoFacts): VideoFacts {
  const known = Object.entries(before ?? {}).filter(([, fact]) => fact !== null)
  return { ...now, ...Object.fromEntries(known) }
}
