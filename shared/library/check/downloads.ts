import { toMediaId } from '../../vocabulary/ids.ts'
import { type CopyRecord, copyKey } from '../downloads/copies.ts'
import { expiryJob, expirySubject } from '../downloads/expiry.ts'
import type { Variant } from '../downloads/source.ts'
import { dueTime } from '../due.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Copies of a deleted file are removed within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000
/** Copies are removed at their end: after a day something is stuck. */
const EXPIRED_WITHIN_MS = 86_400_000

/** The parts of a key: `<company>/<media>/downloads/<version>.<variant>.<attempt>`. */
const downloadObject = /^\d+\/(?<mediaId>\d+)\/downloads\/(?<version>\d+)\.(?<variant>original|\d+x\d+)\.[\w-]+$/

/** Whether an object lies where prepared downloads do. */
export const isDownloadObject = (object: string): boolean => /^\d+\/\d+\/downloads\//.test(object)

/** Yields the problems of the record of a copy. */
export async function* checkDownload(library: Library, copy: CopyRecord): AsyncGenerator<Problem> {
  const { media: objects, clock } = library
  const { key, stored, until } = copy
  const ids = { company_id: copy.companyId, media_id: copy.mediaId }
  if (!(await expiryJob.find(library, expirySubject(copy)))) yield problem('download_due_wrong', ids)
  else if (stored && until < clock.now() - EXPIRED_WITHIN_MS) yield problem('download_not_expired', ids)
  if (!(await getMedia(library, copy.mediaId)) && !(await wasJustRemoved(library, copy))) yield problem('download_without_file', ids)
  if (!objects || !stored) return
  const object = await objects.head(key)
  if (object?.bytes !== stored.bytes) yield problem('download_not_stored', { ...ids, object: key })
}

/** Yields the problems of an object that lies where prepared downloads do. The job that removes it may be all that names it. */
export async function* checkDownloadObject({ table, media }: Library, key: string): AsyncGenerator<Problem> {
  const named = downloadObject.exec(key)?.groups
  const name = named && { mediaId: toMediaId(Number(named.mediaId)), version: Number(named.version), variant: named.variant as Variant }
  const copy = name && (await table.get<CopyRecord>(copyKey(name)))
  const isNamed = copy?.key === key || (name && (await expiryJob.find({ table }, expirySubject({ ...name, key }))))
  if (!isNamed && (await media?.head(key))) yield problem('download_unrecorded', { object: key })
}

async function wasJustRemoved(library: Library, { mediaId }: CopyRecord): Promise<boolean> {
  const tombstone = await getTombstone(library, mediaId)
  return tombstone !== undefined && tombstone.changedAt > dueTime(library.clock.now() - REMOVED_WITHIN_MS)
}
