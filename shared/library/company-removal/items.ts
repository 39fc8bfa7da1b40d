import type { Item, Key } from '../../backends/table/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import { kindOf } from '../check/keys.ts'
import { claimKey, type MembershipRecord } from '../cliques/members.ts'
import { held } from '../concurrency/conditional.ts'
import type { JobRecord } from '../jobs/job.ts'
import { isLeased } from '../jobs/lease.ts'
import { publishLink } from '../links/publish-link.ts'
import { askForEncoding, videoJob } from '../media/encoding-job.ts'
import { type LinkRecord, linkKey } from '../media/link.ts'
import { everyItem } from '../pages.ts'
import { removeBelow } from '../remove-below.ts'
import type { PartUploadRecord } from '../uploads/part-upload.ts'
import { objectPrefix, type UploadRecord } from '../uploads/uploads.ts'
import { removeVideo } from '../videos/remove-video.ts'
import { getVideo, type StoredVideo } from '../videos/video.ts'
import { removeZipObjects } from '../zips/removal.ts'
import { type LatestZip, latestZipKey, type ZipRecord } from '../zips/zip.ts'
import { removePartition } from './partition.ts'
import type { CompanyRemoval, Removed } from './removal.ts'

/** Outcome for an item. `waits for others`: edge caches, an encoding or a running job must finish first. */
export type Outcome = 'not of the company' | 'removed' | 'waits for others'

/**
 * Partition keys that contain the company's id. The company's own partition and its users are missing here: they identify other items, so
 * remove-company.ts removes them last.
 */
const NAMED = /^(?:DOWNLOADS|EVENTS|SEARCH|SEEN|SHARES|SOURCE)#(\d+)(?:#|$)|^DELIVERIES#(\d+)-/

/** Kinds of items that belong to a user. */
const OF_USER = ['TOKEN TOKEN', 'SESSION SESSION', 'RESET RESET']

/**
 * Removals of the kinds that have objects or further items. They return undefined if the item itself can be deleted now. All other kinds
 * are just deleted.
 */
const removals: Readonly<Record<string, (library: CompanyRemoval, item: never) => Promise<Outcome | undefined>>> = {
  'BULK BULK': removeOthers,
  'CLIQUE CLIQUE': removeClique,
  'JOB JOB': removeJob,
  'LINK LINK': endLink,
  'MEDIA MEDIA': removeFile,
  'MEDIA REPLACEMENT': removeFile,
  'MEDIA VIDEO': removeVideoItem,
  'UPLOAD UPLOAD': removeUpload,
  'ZIP ZIP': removeZip,
}

/** Removes an item, with its objects and further items, if it belongs to the company. Idempotent: the item itself is deleted last. */
export async function removeItem(library: CompanyRemoval, removed: Removed, item: Item): Promise<Outcome> {
  if (!(await belongsTo(library, removed, item))) return 'not of the company'
  const outcome = await removals[kindOf(item)]?.(library, item as never)
  if (outcome !== undefined) return outcome
  await library.table.delete({ pk: item.pk, sk: item.sk })
  return 'removed'
}

async function belongsTo({ table }: CompanyRemoval, { companyId, users, addresses }: Removed, item: Item): Promise<boolean> {
  const { pk, sk } = item
  const kind = kindOf(item)
  if (/^(COMPANY|COMPANIES|USER) /.test(kind)) return false
  const [, named, ofWebhook] = NAMED.exec(pk) ?? []
  if (named !== undefined || ofWebhook !== undefined) return Number(named ?? ofWebhook) === companyId
  if (OF_USER.includes(kind)) return users.has(item.userId as UserId)
  if (pk.startsWith('MAILEVENTS#')) return addresses.has(String(item.recipient))
  // Items of a provider whose removal was interrupted.
  if (pk.startsWith('PROVIDER#') && sk !== 'PROVIDER') return !(await table.get({ pk, sk: 'PROVIDER' }))
  return item.companyId === companyId
}

/** Removes the other items of an item's partition. */
function removeOthers(library: CompanyRemoval, item: Key): Promise<undefined> {
  return removePartition(library, item.pk, item)
}

async function removeClique(library: CompanyRemoval, item: Key): Promise<undefined> {
  for await (const member of everyItem<MembershipRecord>(library.table, { pk: item.pk, sk: { beginsWith: 'USER#' }, consistent: true }))
    await library.table.delete(claimKey(member.membershipId))
  return removeOthers(library, item)
}

/** Keeps a running job, because it may still write. Keeps a video's job as long as the video, because it cancels encodings. */
async function removeJob(library: CompanyRemoval, job: JobRecord): Promise<Outcome | undefined> {
  const { kind, input } = job
  const cancels = kind === videoJob.name && (await getVideo(library, (input as Pick<StoredVideo, 'mediaId'>).mediaId))
  return cancels || isLeased(job, library.clock.now()) ? 'waits for others' : undefined
}

/** Ends a link. Its record is removed when the edges have forgotten it. */
async function endLink(library: CompanyRemoval, link: LinkRecord): Promise<Outcome> {
  const { linkId, mediaId } = link
  if (mediaId !== null) {
    const changes = { set: { mediaId: null, changed: library.clock.now(), by: library.by }, add: { revision: 1 } }
    await held(library.table.update(linkKey(linkId), changes, { mediaId: { equals: mediaId } }))
  }
  await publishLink(library, link)
  return 'waits for others'
}

async function removeFile({ uploads }: CompanyRemoval, { uploadKey }: { uploadKey?: string }): Promise<undefined> {
  if (uploadKey !== undefined) await uploads.delete([uploadKey])
}

async function removeVideoItem(library: CompanyRemoval, video: StoredVideo): Promise<Outcome> {
  if (!(await removeVideo(library, video))) return 'removed'
  await library.table.transact({ encoding: askForEncoding(library, video) })
  return 'waits for others'
}

async function removeUpload(
  { uploads }: CompanyRemoval,
  upload: UploadRecord & Pick<Partial<PartUploadRecord>, 'parts'>,
): Promise<undefined> {
  if (upload.parts && upload.mediaId === undefined) await uploads.abortParts(upload.parts)
  await removeBelow(uploads, objectPrefix(upload.uploadId))
}

async function removeZip(library: CompanyRemoval, zip: ZipRecord): Promise<undefined> {
  await removeZipObjects(library, zip)
  const { jobId, requester, folderId } = zip
  if (folderId !== undefined) {
    const latest = latestZipKey(requester, folderId)
    if ((await library.table.get<LatestZip>(latest))?.jobId === jobId) await library.table.delete(latest)
  }
  return removeOthers(library, zip)
}
