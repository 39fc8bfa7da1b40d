import type { Key } from '../../backends/table/port.ts'
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
import { held } from '../conditional.ts'
import { forEachJobDue, NOT_DUE } from '../due.ts'
import { snapshotOf } from '../index-snapshots/job.ts'
import { getSnapshots, snapshotsKey } from '../index-snapshots/record.ts'
import type { Writing } from '../library.ts'
import { getLink } from '../links/link.ts'
import { givePublicationJob } from '../links/publication.ts'
import { getMedia } from '../media/find.ts'
import { giveImportJob } from '../media/import-job.ts'
import { isAvailable } from '../media/media.ts'
import { giveSuggestionJob, isWaiting } from '../media/suggestions.ts'
import { giveInvalidationJob } from '../publishing/invalidation.ts'
import { askForRemoval, deletionOf } from '../tree/deletion.ts'
import { changeTree } from '../tree/tree-store.ts'
import { askForEncoding } from '../videos/job.ts'
import { getVideo, videoKey } from '../videos/video.ts'
import { giveZipJob } from '../zips/job.ts'
import { findZip } from '../zips/zip.ts'

/**
 * Gives jobs to what earlier versions left waiting without one.
 * Any number of runs, also at the same time; the next run does what is left when time is up.
 * @param outOfTime asked before each job; true stops
 * @throws AggregateError after all others are done
 */
export async function sweepJobs(library: Writing, outOfTime: () => boolean): Promise<void> {
  await giveInvalidationJob(library)
  await forEachJobDue(library, outOfTime, (entry) => giveJob(library, entry))
}

async function giveJob(library: Writing, { pk, sk }: Key): Promise<void> {
  const [kind, name] = [pk.slice(0, pk.indexOf('#')), pk.slice(pk.indexOf('#') + 1)]
  const id = Number(name)
  if (kind === 'ZIP') await giveJobOfZip(library, name)
  else if (kind === 'LINK') await giveJobOfLink(library, name)
  else if (kind === 'MEDIA') await (sk === 'VIDEO' ? giveJobOfVideo : giveJobOfFile)(library, toMediaId(id))
  else if (kind === 'SEARCH') await askForSnapshotAgain(library, toCompanyId(id))
  else if (kind === 'CLIQUE') await giveCliqueRemoval(library, { pk, sk })
  else await giveFolderRemoval(library, toCompanyId(id), toFolderId(Number(sk.slice('FOLDER#'.length))))
}

/** A file of an earlier version waits without a job. */
async function giveJobOfFile(library: Writing, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  if (media?.dueAt === undefined) return
  if (!isAvailable(media)) await giveImportJob(library, media)
  else if (isWaiting(media)) await giveSuggestionJob(library, media)
}

/** An earlier version deleted the folder without a job. */
async function giveFolderRemoval(library: Writing, companyId: CompanyId, folderId: FolderId): Promise<void> {
  await changeTree(library, companyId, (tree) => {
    const [folder] = tree.stored(new Set([folderId]))
    return folder?.deleted !== undefined && folder.dueAt !== undefined ? deletionOf(library, folder) : undefined
  })
}

/** An earlier version deleted the clique without a job. The record said so. */
async function giveCliqueRemoval(library: Writing, key: Key): Promise<void> {
  const deleted = await library.table.get<Key & { companyId: CompanyId }>(key)
  if (!deleted) return
  const cliqueId = toCliqueId(Number(key.pk.slice('CLIQUE#'.length)))
  await library.table.transact({ deleted: { delete: key }, job: askForRemoval(library, deleted.companyId, { cliqueId }) })
}

/** A zip of an earlier version has no job. */
async function giveJobOfZip(library: Writing, jobId: string): Promise<void> {
  const zip = await findZip(library, jobId)
  if (zip?.state === 'PENDING' && zip.dueAt !== undefined) await giveZipJob(library, zip)
}

/** A link of an earlier version has no job. */
async function giveJobOfLink(library: Writing, linkId: string): Promise<void> {
  const link = await getLink(library, toLinkId(linkId))
  if (link?.dueAt !== undefined) await givePublicationJob(library, link)
}

/** A video of an earlier version has no job. */
async function giveJobOfVideo(library: Writing, mediaId: MediaId): Promise<void> {
  const video = await getVideo(library, mediaId)
  if (!video) return
  const undue = { update: videoKey(mediaId), changes: { remove: Object.keys(NOT_DUE) }, if: { dueAt: { exists: true } } }
  await held(library.table.transact({ undue, job: askForEncoding(library, video) }))
}

/** An earlier version left a run undone, or what was replaced to be removed. */
async function askForSnapshotAgain(library: Writing, companyId: CompanyId): Promise<void> {
  const record = await getSnapshots(library, companyId)
  if (!record?.dueAt) return
  const undue = { update: snapshotsKey(companyId), changes: { remove: [...Object.keys(NOT_DUE), 'writer', 'writerUntil'] } }
  await library.table.transact({ undue, job: snapshotOf(library, companyId, { newerThan: 0 }) })
}
