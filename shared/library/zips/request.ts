import { randomBytes } from 'node:crypto'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Forbidden, NotFound } from '../errors.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { isAnythingToZip } from './entries.ts'
import { askForZip } from './job.ts'
import { isCurrent, mayHave } from './validity.ts'
import { findZip, isSameRequester, type LatestZip, latestZipKey, requesterOf, type ZipRecord, zipKey } from './zip.ts'

export interface Requesting extends AuthorizedWriting {
  media: Pick<ObjectReader, 'get'>
}

/**
 * The caller's zip of a folder: a pending one, or a DONE one that equals a new one, or a new one with its job.
 * @throws NotFound, Forbidden if the caller may READ neither the folder nor any below it
 */
export async function requestZip(library: Requesting, folderId: FolderId, requestId: string): Promise<ZipRecord> {
  const folder = await readableFolder(library, folderId)
  return retryOnConflict(async () => {
    const latestKey = latestZipKey(requesterOf(library.access.caller), folderId)
    const latest = await library.table.get<LatestZip>(latestKey)
    const known = latest && (await findZip(library, latest.jobId))
    if (known && (await isStillGood(library, known))) return known
    const zip = newZip(library, folder, requestId)
    await library.table.transact({
      zip: { put: zip },
      job: askForZip(library, zip),
      latest: {
        put: { ...latestKey, jobId: zip.jobId } satisfies LatestZip,
        if: latest ? { jobId: { equals: latest.jobId } } : { pk: { exists: false } },
      },
    })
    return zip
  })
}

/** Longer than the id of any zip. */
const MAX_JOB_ID = 100

/**
 * A zip of the caller. Each request checks the right to READ all folders with files in it.
 * @throws NotFound also for other people's zips, Forbidden
 */
export async function getZip(library: AuthorizedReading & Pick<Requesting, 'media'>, jobId: string): Promise<ZipRecord> {
  const zip = jobId.length > MAX_JOB_ID ? undefined : await findZip(library, jobId)
  if (!zip || !isSameRequester(zip.requester, requesterOf(library.access.caller))) throw new NotFound('zip')
  if (zip.state !== 'DONE' || (await mayHave(library, zip))) return zip
  if (zip.folderId !== undefined) await readableFolder(library, zip.folderId)
  throw new Forbidden('This needs READ on all folders in the zip.')
}

async function readableFolder({ access }: AuthorizedReading, folderId: FolderId): Promise<FolderRecord> {
  const { record } = await access.folder(folderId)
  const rights = await access.rightsOnAll(record.companyId)
  if (!isAnythingToZip(rights, folderId)) throw new Forbidden('This needs READ on the folder, or on one below it.')
  return record
}

async function isStillGood(library: Requesting, zip: ZipRecord): Promise<boolean> {
  if (zip.state === 'PENDING') return true
  return zip.state === 'DONE' && zip.validUntil! * 1000 > library.clock.now() && (await isCurrent(library, zip))
}

function newZip({ access, clock, by }: Requesting, { companyId, folderId }: FolderRecord, requestId: string): ZipRecord {
  const jobId = randomBytes(16).toString('base64url')
  const asked = clock.now()
  return {
    ...zipKey(jobId),
    ...{ jobId, requester: requesterOf(access.caller), companyId, folderId, asked, requestId, by },
    ...{ state: 'PENDING', stage: 'list', revision: 1 },
  }
}
