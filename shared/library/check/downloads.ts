import type { Key } from '../../backends/table/port.ts'
import { toMediaId } from '../../vocabulary/ids.ts'
import { downloadKey, type StoredDownload } from '../downloads/copy-record.ts'
import type { Variant } from '../downloads/source.ts'
import { type Due, dueKeys, dueTime } from '../due.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import { keyAt } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** What is prepared of a deleted file is removed within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000
/** Downloads that are due are removed every hour: after a day something is stuck. */
const EXPIRED_WITHIN_MS = 86_400_000

/** The parts of a key: `<company>/<media>/downloads/<version>.<variant>.<maker>`. */
const downloadObject = /^\d+\/(?<mediaId>\d+)\/downloads\/(?<version>\d+)\.(?<variant>original|\d+x\d+)\.[\w-]+$/

/** Whether an object lies where prepared downloads do. */
export const isDownloadObject = (object: string): boolean => /^\d+\/\d+\/downloads\//.test(object)

/** Yields the problems of the record of a prepared download. @param address of its item */
export async function* checkDownload(library: Library, address: string): AsyncGenerator<Problem> {
  const { table, media: objects, clock } = library
  const download = await table.get<StoredDownload>(keyAt(address))
  if (!download) return
  const { mediaId, key, copy, state } = download
  yield* dueProblems(download, clock.now())
  if (!(await getMedia(library, mediaId)) && !(await wasJustRemoved(library, download)))
    yield problem('download_without_file', idsOf(download))
  if (!objects || state !== 'ready' || !copy) return
  const stored = await objects.head(key)
  if (stored?.bytes !== copy.bytes) yield problem('download_not_stored', { ...idsOf(download), object: key })
}

/** Yields the problems of an object that lies where prepared downloads do. */
export async function* checkDownloadObject({ table, media }: Library, object: string): AsyncGenerator<Problem> {
  const named = downloadObject.exec(object)?.groups
  const at = named && downloadKey(toMediaId(Number(named.mediaId)), Number(named.version), named.variant as Variant)
  const download = at && (await table.get<StoredDownload>(at))
  const isNamed = download && [download.key, ...download.former].includes(object)
  if (!isNamed && (await media?.head(object))) yield problem('download_unrecorded', { object })
}

/** A maker that was at it when the file was removed has some time to end: its record says how long. */
async function wasJustRemoved(library: Library, { mediaId, state, dueAt }: StoredDownload): Promise<boolean> {
  const now = library.clock.now()
  if (state === 'expired') return dueAt > dueTime(now - EXPIRED_WITHIN_MS)
  const tombstone = await getTombstone(library, mediaId)
  return tombstone !== undefined && tombstone.changedAt > dueTime(now - REMOVED_WITHIN_MS)
}

const expiring = new Set(dueKeys('DOWNLOAD'))

function* dueProblems(download: Key & Due & Parameters<typeof idsOf>[0], now: number): Generator<Problem> {
  if (!expiring.has(download.dueKey)) yield problem('download_due_wrong', idsOf(download))
  else if (download.dueAt < dueTime(now - EXPIRED_WITHIN_MS)) yield problem('download_not_expired', idsOf(download))
}

function idsOf({ companyId: company_id, mediaId: media_id }: Pick<StoredDownload, 'companyId' | 'mediaId'>) {
  return { company_id, media_id }
}
