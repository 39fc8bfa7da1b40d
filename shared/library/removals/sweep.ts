import type { QueueSender } from '../../backends/queue/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import {
  type CompanyId,
  type FolderId,
  type MediaId,
  toCliqueId,
  toCompanyId,
  toFolderId,
  toLinkId,
  toMediaId,
} from '../../vocabulary/ids.ts'
import { companyGroup, type Messages } from '../../vocabulary/messages.ts'
import { held } from '../conditional.ts'
import { forEachDue, isDue, NOT_DUE } from '../due.ts'
import { snapshotOf } from '../index-snapshots/job.ts'
import { getSnapshots, snapshotsKey } from '../index-snapshots/record.ts'
import type { Writing } from '../library.ts'
import { getLink } from '../links/link.ts'
import { givePublicationJob } from '../links/publication.ts'
import { getMedia } from '../media/find.ts'
import { postponeImport } from '../media/importing.ts'
import { isAvailable, type MediaRecord } from '../media/media.ts'
import { giveSuggestionJob, isWaiting } from '../media/suggestions.ts'
import { giveInvalidationJob } from '../publishing/invalidation.ts'
import { askForRemoval, deletionOf } from '../tree/deletion.ts'
import { changeTree } from '../tree/tree-store.ts'
import { askForEncoding } from '../videos/job.ts'
import { getVideo, videoKey } from '../videos/video.ts'
import { giveZipJob } from '../zips/job.ts'
import { findZip } from '../zips/zip.ts'

interface Sweeping extends Writing {
  imports: QueueSender<Messages['imports']>
  log: Log
}

/**
 * Queues imports again that have not ended in time, and gives work of earlier versions its jobs.
 * All of them are idempotent, so a job that was not lost may run twice. Any number of runs, also at the same time; the next run does what is left
 * when time is up.
 * @param outOfTime asked before each job; true stops
 * @throws AggregateError after all others are done
 */
export async function sweepJobs(library: Sweeping, outOfTime: () => boolean): Promise<void> {
  await giveInvalidationJob(library)
  await forEachDue(library, 'JOB', outOfTime, (entry) => queueAgain(library, entry))
}

/** Queues the job before it postpones the next look: if the process dies in between, the next run queues the job again. */
async function queueAgain(library: Sweeping, { pk, sk }: Key): Promise<void> {
  const [kind, name] = [pk.slice(0, pk.indexOf('#')), pk.slice(pk.indexOf('#') + 1)]
  const id = Number(name)
  if (kind === 'ZIP') await zipAgain(library, name)
  else if (kind === 'LINK') await publishAgain(library, name)
  else if (kind === 'MEDIA') await (sk === 'VIDEO' ? encodeAgain : fileAgain)(library, toMediaId(id))
  else if (kind === 'SEARCH') await askForSnapshotAgain(library, toCompanyId(id))
  else if (kind === 'CLIQUE') await giveCliqueRemoval(library, { pk, sk })
  else await giveFolderRemoval(library, toCompanyId(id), toFolderId(Number(sk.slice('FOLDER#'.length))))
}

async function fileAgain(library: Sweeping, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  if (media && isDue(media, library.clock.now())) await (isAvailable(media) ? suggestAgain : importAgain)(library, media)
}

async function importAgain(library: Sweeping, media: MediaRecord): Promise<void> {
  const { imports, log } = library
  const { mediaId, companyId, modified } = media
  log.warn('import has not ended in time: queued again', { media: mediaId, since: new Date(modified).toISOString() })
  await imports.send({ mediaId }, { group: companyGroup(companyId) })
  await postponeImport(library, media)
}

/** A file of an earlier version waits without a job. */
async function suggestAgain(library: Sweeping, media: MediaRecord): Promise<void> {
  if (isWaiting(media)) await giveSuggestionJob(library, media)
}

/** An earlier version deleted the folder without a job. */
async function giveFolderRemoval(library: Sweeping, companyId: CompanyId, folderId: FolderId): Promise<void> {
  await changeTree(library, companyId, (tree) => {
    const [folder] = tree.stored(new Set([folderId]))
    return folder?.deleted !== undefined && isDue(folder, library.clock.now()) ? deletionOf(library, folder) : undefined
  })
}

/** An earlier version deleted the clique without a job. The record said so. */
async function giveCliqueRemoval(library: Sweeping, key: Key): Promise<void> {
  const deleted = await library.table.get<Key & { companyId: CompanyId }>(key)
  if (!deleted) return
  const cliqueId = toCliqueId(Number(key.pk.slice('CLIQUE#'.length)))
  await library.table.transact({ deleted: { delete: key }, job: askForRemoval(library, deleted.companyId, { cliqueId }) })
}

/** A zip of an earlier version has no job. */
async function zipAgain(library: Sweeping, jobId: string): Promise<void> {
  const zip = await findZip(library, jobId)
  if (zip?.state === 'PENDING' && isDue(zip, library.clock.now())) await giveZipJob(library, zip)
}

/** A link of an earlier version has no job. */
async function publishAgain(library: Sweeping, linkId: string): Promise<void> {
  const link = await getLink(library, toLinkId(linkId))
  if (link && isDue(link, library.clock.now())) await givePublicationJob(library, link)
}

/** A video of an earlier version has no job. */
async function encodeAgain(library: Sweeping, mediaId: MediaId): Promise<void> {
  const video = await getVideo(library, mediaId)
  if (!video) return
  const undue = { update: videoKey(mediaId), changes: { remove: Object.keys(NOT_DUE) }, if: { dueAt: { exists: true } } }
  await held(library.table.transact({ undue, job: askForEncoding(library, video) }))
}

/** An earlier version left a run undone, or what was replaced to be removed. */
async function askForSnapshotAgain(library: Sweeping, companyId: CompanyId): Promise<void> {
  const record = await getSnapshots(library, companyId)
  if (!record?.dueAt) return
  const undue = { update: snapshotsKey(companyId), changes: { remove: [...Object.keys(NOT_DUE), 'writer', 'writerUntil'] } }
  await library.table.transact({ undue, job: snapshotOf(library, companyId, { newerThan: 0 }) })
}
