import type { Objects } from '../../backends/objects/port.ts'
import type { Operations } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { askForMail } from '../mail/job.ts'
import { foldersToZip, type ListedEntry, readFolders } from './entries.ts'
import { askForZipExpiry } from './job.ts'
import { beginListing } from './listing.ts'
import { removeZipObjects } from './removal.ts'
import { mayReadFolders, storeContents, type ZippedFile } from './validity.ts'
import { accessOfRequester, changeZip, findZip, ZIP_SECONDS, type ZipRecord, zipChange, zipObjects } from './zip.ts'

interface Ending extends Writing {
  media: Objects
  log: Log
}

/**
 * Marks a zip as DONE, and removes the objects of its listing. Starts a new listing instead when the requester lost rights meanwhile.
 */
export async function endZip(
  library: Ending,
  zip: ZipRecord,
  archive: { key: string; entries: readonly ListedEntry[] },
): Promise<ZipRecord> {
  const files = archive.entries.flatMap(({ file }) => file ?? [])
  if (!(await mayStillRead(library, zip, files))) return beginListing(library, zip)
  await storeContents(library, zip, files)
  const validUntil = Math.floor(library.clock.now() / 1000) + ZIP_SECONDS
  const listing = { ...zip.listing!, lists: [], assembled: archive.entries.length }
  const ended = { state: 'DONE', archive: archive.key, validUntil, listing } as const
  const isMailed = zip.requester.kind === 'user' && zip.requester.shareId === undefined
  const done = await changeZip(library, zip, ended, {
    expiry: askForZipExpiry(library, zip, validUntil * 1000),
    ...(isMailed && { mail: askForMail(library, zip.companyId, { zip: zip.jobId }) }),
  })
  await removeZipObjects(library, zip, [archive.key, zipObjects.contents(zip.jobId)])
  return done
}

/** Marks a zip as FAILED, and removes its objects. Idempotent. @param reason for the operator */
export async function failZip(library: Ending, jobId: string, reason: unknown): Promise<void> {
  const { log } = library
  const zip = await findZip(library, jobId)
  if (zip?.state !== 'PENDING') return
  log.warn('a zip has failed', { zip: jobId, folder: zip.folderId, requestId: zip.requestId, reason })
  if (await held(library.table.transact(failure(library, zip)))) await removeZipObjects(library, zip)
}

/** The writes that fail a zip whose job is cancelled. Its objects are removed when it expires. */
export async function zipCancelled(library: Writing, jobId: string): Promise<Operations> {
  const zip = await findZip(library, jobId)
  return zip?.state === 'PENDING' ? failure(library, zip) : {}
}

function failure(library: Writing, zip: ZipRecord): Operations {
  const listing = zip.listing && { ...zip.listing, lists: [] }
  return {
    zip: zipChange(library, zip, { state: 'FAILED', listing }).operation,
    expiry: askForZipExpiry(library, zip, library.clock.now() + ZIP_SECONDS * 1000),
  }
}

/** Whether the requester may still READ all listed folders, or those of the selected files. */
async function mayStillRead(library: Ending, zip: ZipRecord, files: readonly ZippedFile[]): Promise<boolean> {
  const { requester, companyId, folderId } = zip
  const access = await accessOfRequester(library, requester)
  if (!access?.isMember(companyId)) return false
  const rights = await access.rightsOnAll(companyId)
  if (folderId === undefined) return mayReadFolders(rights, files)
  const readable = foldersToZip(rights, folderId).filter((folder) => folder.readable)
  const now = new Set(readable.map(({ contents }) => contents))
  return (await readFolders(library, zip)).every((folder) => !folder.readable || now.has(folder.contents))
}
