import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import { StockUnavailable } from '../../backends/stock/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, KeyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { findUser, isMemberOf } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import { Invalid } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import type { AvailableMedia, MediaRecord } from '../media/media.ts'
import { everyItem } from '../pages.ts'
import { day } from '../time.ts'

/** A download that a client got the URL of: a file of the company or an item of the stock library. */
export type LoggedDownload = {
  /** UNIX milliseconds */
  time: number
  mediaId: MediaId
  /** null for the original */
  size: RenditionSize | null
  /** To whom it is attributed: the caller, or whom an application named. */
  userId: UserId | null
  /** API key of the application; null where a secret of the user authenticated. */
  keyId: KeyId | null
  /** JSON of the client about the download, as it was sent. */
  info: string | null
}

/** One item per download. A partition holds a company's day, in order of time. */
export type LogRecord = Key &
  LoggedDownload & {
    companyId: CompanyId
    /** Folders and version of the company's own file at that time, and its number where that was asked for. */
    file?: Pick<MediaRecord, 'folders' | 'version' | 'fileNumber'>
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

/**
 * Logs a download of the company's own file, after its URL was made and before the client gets it. So none is missing.
 * @param fileNumber the number that was asked for, where one was
 */
export async function logDownload(
  library: Logging,
  media: Pick<AvailableMedia, 'companyId' | 'mediaId' | 'folders' | 'version'>,
  download: Download,
  fileNumber?: number,
): Promise<void> {
  const { companyId, mediaId, folders, version } = media
  const file = { folders, version, ...(fileNumber !== undefined && { fileNumber }) }
  await library.table.put(entryOf(library, { companyId, mediaId }, download, file))
}

/**
 * Makes a download of a stock item, and logs it with the company that downloads. The entry comes first, and goes again when the download fails. So
 * the log has every download that was made, also after a crash: a provider may count each as a sale. The entry of an unknown outcome stays.
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
    // If this fails the log has an entry too many, never one too few.
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

/** The details that a client may add to a download. */
export interface DownloadDetails {
  /** User named by an application. Users can't name others. */
  user?: UserId | undefined
  /** JSON that describes the download. */
  info?: string | undefined
}

/** To whom a download is attributed, as the log keeps it. @throws Invalid for a named user who isn't of the company of the key */
export async function attribution(
  { table, access: { caller } }: AuthorizedReading,
  { user, info }: DownloadDetails,
): Promise<Pick<LoggedDownload, 'userId' | 'keyId' | 'info'>> {
  const userId = caller.kind === 'user' ? caller.user.userId : (user ?? null)
  if (caller.kind === 'application' && userId !== null) {
    const named = await findUser({ table }, userId)
    if (!named || !isMemberOf(named, caller.key.companyId)) {
      throw new Invalid({ path: 'user', message: 'must be a user of the company of the key' })
    }
  }
  return { userId, keyId: keyIdOf(caller), info: info ?? null }
}

const keyIdOf = (caller: Caller) => (caller.kind === 'application' ? caller.key.keyId : caller.keyId) ?? null
