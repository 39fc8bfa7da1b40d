import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import { StockUnavailable } from '../../backends/stock/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, KeyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { Actor } from '../actor.ts'
import type { Reading, Writing } from '../library.ts'
import type { AvailableMedia, MediaRecord } from '../media/media.ts'
import { everyItem } from '../pages.ts'
import { day } from '../time.ts'

/** That somebody got the URL of a download, of a file of the company's or of an item of the stock library. */
export type LoggedDownload = {
  /** UNIX milliseconds */
  time: number
  mediaId: MediaId
  /** null for the original */
  size: RenditionSize | null
  /** To whom it is attributed: the caller, or whom an application named. */
  userId: UserId | null
  /** API key of the application; null where a secret stands for the user. */
  keyId: KeyId | null
  /** JSON by which the client describes the download, as it sent it. */
  info: string | null
}

/** One item for each download: the downloads of a company on a day are together, in order of time. */
export type LogRecord = Key &
  LoggedDownload & {
    companyId: CompanyId
    /** The file as it was, of one of the company's own. */
    file?: Pick<MediaRecord, 'folders' | 'version'>
    /** Who downloaded it. */
    by: Actor
    ttl: number
  }

const DAY_SECONDS = 86_400
/** How long a download is kept. */
const KEPT_SECONDS = 90 * DAY_SECONDS

const dayKey = (companyId: CompanyId, date: string): string => `DOWNLOADS#${companyId}#${date}`

type Logging = Pick<Writing, 'table' | 'clock' | 'by'>
type Download = Omit<LoggedDownload, 'time' | 'mediaId'>

/** Logs that a file of a company's own was downloaded: after its URL was made, and before anybody gets that. So none is missing in the log. */
export async function logDownload(
  library: Logging,
  media: Pick<AvailableMedia, 'companyId' | 'mediaId' | 'folders' | 'version'>,
  download: Download,
): Promise<void> {
  const { companyId, mediaId, folders, version } = media
  await library.table.put(entryOf(library, { companyId, mediaId }, download, { folders, version }))
}

/**
 * Makes a download of an item of the stock library, and logs it with the company that downloads. The log comes first, and the entry of what can't
 * be made is taken back: so whatever fails in between, no download that was made (a provider may count it as a sale) is missing there. The entry of
 * one whose outcome nobody knows stays.
 * @throws what `make` throws
 */
export async function loggedFirst<Made>(
  library: Logging,
  of: Pick<AvailableMedia, 'companyId' | 'mediaId'>,
  download: Download,
  make: () => Promise<Made>,
): Promise<Made> {
  const { table } = library
  const entry = entryOf(library, of, download)
  await table.put(entry)
  try {
    return await make()
  } catch (error) {
    const mayBeMade = error instanceof StockUnavailable && error.mayBeMade
    // An entry too many, where this fails: none is missing.
    if (!mayBeMade) await table.delete({ pk: entry.pk, sk: entry.sk }).catch(() => undefined)
    throw error
  }
}

function entryOf(
  { clock, by }: Logging,
  { companyId, mediaId }: Pick<AvailableMedia, 'companyId' | 'mediaId'>,
  { size, userId, keyId, info }: Download,
  file?: LogRecord['file'],
): LogRecord {
  const time = clock.now()
  return {
    ...{ pk: dayKey(companyId, day(time)), sk: `${new Date(time).toISOString()}#${randomBytes(6).toString('hex')}` },
    ...{ companyId, time, mediaId, size, userId, keyId, info, by, ttl: Math.floor(time / 1000) + KEPT_SECONDS },
    ...(file && { file }),
  }
}

/**
 * The last downloads of a company, newest first, of at most 90 days.
 * @param which.since UNIX milliseconds
 */
export async function listDownloads(
  { table, clock }: Reading & { clock: Clock },
  companyId: CompanyId,
  { since, limit }: { since: number; limit: number },
): Promise<LoggedDownload[]> {
  const now = clock.now()
  const oldest = Math.max(since, now - KEPT_SECONDS * 1000)
  const from = new Date(oldest).toISOString()
  const found: LoggedDownload[] = []
  for (let time = now; day(time) >= day(oldest); time -= DAY_SECONDS * 1000) {
    const pages = everyItem<LogRecord>(table, { pk: dayKey(companyId, day(time)), sk: { from }, descending: true, limit, consistent: true })
    for await (const { pk, sk, ttl, companyId: _, file, by, ...download } of pages) {
      if (found.length === limit) return found
      found.push(download)
    }
  }
  return found
}
