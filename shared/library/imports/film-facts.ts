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

/** Dependencies of `fillFilmFacts`. */
export interface Probing {
  table: Table
  media: Pick<ObjectReader, 'head' | 'get' | 'list'>
  videoProbe: VideoProbe
}

/** Whether a film lacks facts that imports store today, or has a former name of its type. Its container may lack them too. */
export function lacksFilmFacts({ kind, mime, video }: AvailableMedia): boolean {
  return kind === 'video' && (video === undefined || usualName(mime) !== mime || lacksFact(video))
}

const lacksFact = ({ seconds, frameRate, videoCodec, audioCodec, audioTracks, hasAudio }: VideoFacts) =>
  [seconds, frameRate, videoCodec, hasAudio].includes(null) || (hasAudio === true && (audioCodec === null || audioTracks === undefined))

/**
 * Stores missing facts of a film. Known ones stay. Reads the film's outline (tools/outline.ts), and the tags from its import.
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

/** Known facts, completed by new ones. */
function completed(before: VideoFacts | undefined, now: VideoFacts): VideoFacts {
  const known = Object.entries(before ?? {}).filter(([, fact]) => fact !== null)
  return { ...now, ...Object.fromEntries(known) }
}
