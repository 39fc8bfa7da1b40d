import type { Clock } from '../../backends/clock/port.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { available } from '../media/find.ts'
import type { MediaRecord } from '../media/media.ts'
import { isoTime } from '../time.ts'
import { entriesOf, type HistoryEntry, type Values, valuesOf } from './entries.ts'

/** Bytes of values in one page, at most, but for one step: an answer of a function holds 6 MB. */
const MAX_BYTES = 3 * 1024 ** 2

/** An entry of a file's history as its readers see it. */
export interface ShownEntry {
  entry: HistoryEntry
  /** Values by the interface's names. Empty to who may not READ the file. */
  before: Values
  after: Values
}

/**
 * A page of a file's history, newest first. Needs WRITE. Only readers of the file see values.
 * @param page.cursor version of the last entry of the page before
 * @throws NotFound, Forbidden, Conflict while the file is being imported
 */
export async function historyPage(
  library: AuthorizedReading & { clock: Clock },
  media: MediaRecord,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<{ entries: ShownEntry[]; more: boolean }> {
  await library.access.requireMedia('WRITE', media)
  const isReader = await library.access.hasOnMedia('READ', media)
  const entries: ShownEntry[] = []
  let bytes = 0
  // One state more than entries, and one that says whether there are more.
  for await (const entry of entriesOf(library, available(media), { below: cursor, atOnce: limit + 2 })) {
    const [before, after] = isReader ? [valuesOf(entry, entry.before), valuesOf(entry, entry.after)] : [{}, {}]
    bytes += Buffer.byteLength(JSON.stringify([before, after]))
    if (entries.length === limit || (bytes > MAX_BYTES && entries.length > 0)) return { entries, more: true }
    entries.push({ entry, before, after })
  }
  return { entries, more: false }
}

/** An entry as the interface shows it. */
export function entryJson({ entry, before, after }: ShownEntry) {
  const { version, at, actor, kind, changed } = entry
  return {
    ...{ version, at: isoTime(at), actor: { user_id: actor.userId, key_id: actor.keyId }, kind, changed, before, after },
    ...(kind === 'file' && { file_number: entry.after.fileNumber }),
  }
}
