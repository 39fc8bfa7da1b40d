import type { Item, Key, TableScanner } from '../../backends/table/port.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import type { StoredDownload } from '../downloads/prepared.ts'
import type { SnapshotsRecord } from '../index-snapshots/record.ts'
import { linkIdOf, type StoredLink } from '../links/link.ts'
import type { MediaRecord } from '../media/media.ts'
import { everyScanned } from '../pages.ts'
import type { ItemRecord } from '../stock/items.ts'
import type { UsageRecord } from '../usage/usage.ts'
import type { StoredVideo } from '../videos/video.ts'
import type { ZipRecord } from '../zips/zip.ts'
import { noteDownload } from './downloads.ts'
import { noteFile } from './files.ts'
import { checkFolders, readFolders, type StoredFolders } from './folders.ts'
import { noteSnapshots } from './index-snapshots.ts'
import { addressOf, kindOf } from './keys.ts'
import type { CheckNotes, Library, SuspectKind } from './library.ts'
import { noteLink } from './links.ts'
import type { Problem } from './problem.ts'
import { noteRecord } from './references.ts'
import { noteItem } from './stock.ts'
import { noteUsage } from './usage.ts'
import { noteVideo } from './videos.ts'
import { noteZip } from './zips.ts'

/** So many folders are kept in memory while the files in them are walked. */
const FOLDERS_IN_MEMORY = 300_000

/** Walks the whole table, of which the items of one partition come together. @param deep whether originals are to be read */
export async function noteTable(library: Library, scanner: TableScanner, notes: CheckNotes, deep: boolean): Promise<void> {
  const foldersOf = cachedFolders(library)
  let file: Item[] = []
  /** Partition of the last company whose folders were checked. */
  let company = ''
  const endFile = async () => {
    if (file.length > 0) await suspectIf(notes, 'file', file[0]!.pk, noteFile(library, file, { notes, deep, foldersOf }))
    file = []
  }
  for await (const item of everyScanned(scanner)) {
    if (item.pk !== file[0]?.pk) await endFile()
    const kind = kindOf(item)
    if (kind === 'MEDIA VIDEO') await suspectIf(notes, 'video', addressOf(item), noteVideo(library, item as StoredVideo, notes))
    else if (kind.startsWith('MEDIA ')) file.push(item)
    else if (kind === 'PREPARED DOWNLOAD') {
      await suspectIf(notes, 'download', addressOf(item), noteDownload(library, item as StoredDownload, notes))
    } else if (kind === 'ZIP ZIP') {
      await suspectIf(notes, 'zip', addressOf(item), noteZip(library, item as ZipRecord, notes))
    } else if (kind === 'SEARCH SNAPSHOTS') {
      await suspectIf(notes, 'snapshots', addressOf(item), noteSnapshots(library, item as SnapshotsRecord, notes))
    } else if (kind === 'LINK LINK') {
      await suspectIf(notes, 'link', linkIdOf(item), noteLink(library, item as StoredLink, notes))
    } else if (kind === 'STOCK ITEM') noteItem(item as Key as ItemRecord, notes)
    else if (kind === 'COMPANY USAGE') {
      const { bytes = 0, files = 0 } = item as Key as Partial<UsageRecord>
      noteUsage(notes, item, { bytes: -bytes, files: -files })
    } else await suspectIf(notes, 'record', addressOf(item), noteRecord(library, item, notes))
    if ((kind === 'COMPANY FOLDER' || kind === 'COMPANY TREE') && item.pk !== company) {
      company = item.pk
      await suspectIf(notes, 'folders', company, checkFolders(library, company))
    }
  }
  await endFile()
}

/** The folders of companies as they were when first asked for, or since. */
function cachedFolders(library: Library) {
  const cache = new RecentlyUsed<{ folders: StoredFolders | undefined }>(FOLDERS_IN_MEMORY, ({ folders }) => 1 + (folders?.all.length ?? 0))
  return async (companyId: MediaRecord['companyId']) => {
    const cached = cache.get(String(companyId)) ?? { folders: await readFolders(library, companyId) }
    cache.set(String(companyId), cached)
    return cached.folders
  }
}

/** Notes the subject as suspect if it seems to have problems, or can't be read for them. */
async function suspectIf(
  notes: CheckNotes,
  kind: SuspectKind,
  subject: string,
  problems: Iterable<Problem> | AsyncIterable<Problem>,
): Promise<void> {
  try {
    for await (const _ of problems) notes.suspect(kind, subject)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    notes.suspect(kind, subject)
  }
}
