import type { Objects } from '../../backends/objects/port.ts'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import type { ContentsId } from '../../vocabulary/ids.ts'
import type { Access } from '../access/access.ts'
import type { Writing } from '../library.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { mediaIn } from '../media/pointers.ts'
import { deliveredOf } from './delivered.ts'
import {
  ENTRIES_IN_LIST,
  entryOf,
  fingerprintOf,
  foldersToZip,
  type ListedEntry,
  readFolders,
  storeEntries,
  storeFolders,
  type ZippedFolder,
} from './entries.ts'
import { byName, selectedEntries } from './selection.ts'
import { accessOfRequester, changeZip, type Listing, numberOf, type StoredList, Unzippable, type ZipRecord } from './zip.ts'

/** Most entries of a zip. All are in memory during the assembly. */
const MAX_ENTRIES = 1_000_000
/** Most listings of a zip whose files keep changing. */
const MAX_ATTEMPTS = 5
/** Parallelism over folders. */
const FOLDERS_AT_ONCE = 8
/** Entries after which the record is written, so that another run can continue. */
const ENTRIES_AT_ONCE = 5_000

/** Whether a file of a folder is left out. */
type LeavesOut = (media: AvailableMedia) => Promise<boolean>

const isOfShare = ({ requester }: ZipRecord): boolean => requester.kind === 'user' && requester.shareId !== undefined

interface ListingLibrary extends Writing {
  media: Pick<Objects, 'get' | 'put'>
}

/** Begins a listing of the folders that the requester may READ now. @throws Unzippable if there are none, or after too many listings */
export async function beginListing(library: ListingLibrary, zip: ZipRecord): Promise<ZipRecord> {
  const { companyId, folderId } = zip
  const attempt = (zip.listing?.attempt ?? 0) + 1
  if (attempt > MAX_ATTEMPTS) throw new Unzippable('its files kept changing while it was made')
  const asOf = library.clock.now()
  const access = await accessOfRequester(library, zip.requester)
  if (!access?.isMember(companyId)) throw new Unzippable('the requester may use the library no more')
  if (folderId === undefined) return listSelection(library, zip, { attempt, asOf, access })
  const rights = await access.rightsOnAll(companyId)
  const folders = foldersToZip(rights, folderId)
  const folderName = rights.tree.get(folderId)?.name
  if (folders.length === 0 || folderName === undefined) throw new Unzippable('the requester may read the folder no more')
  const listing: Listing = {
    // Two runs never begin a listing at the same revision.
    ...{ id: zip.revision, attempt, asOf, folderName, fingerprint: fingerprintOf(folderName, folders) },
    ...{ foldersListed: 0, lists: [], askedLists: 0, lastProgress: asOf, lastAsked: asOf, assembled: 0 },
  }
  await storeFolders(library, { ...zip, listing }, folders)
  return changeZip(library, zip, { listing, stage: 'list' })
}

/** Lists the files of a selection, all at once. @throws Unzippable */
async function listSelection(
  library: ListingLibrary,
  zip: ZipRecord,
  { attempt, asOf, access }: { attempt: number; asOf: number; access: Access },
): Promise<ZipRecord> {
  const entries = await selectedEntries(library, zip, access)
  if (entries.length === 0) throw new Unzippable('the requester may read none of its files any more')
  const listing: Listing = {
    ...{ id: zip.revision, attempt, asOf, folderName: zip.selection!.name, fingerprint: '' },
    ...{ foldersListed: 0, lists: [], askedLists: 0, lastProgress: asOf, lastAsked: asOf, assembled: 0 },
  }
  const lists = await storeAll(library, { ...zip, listing }, entries)
  return changeZip(library, zip, { listing: { ...listing, lists }, stage: 'prepare' })
}

/** Lists files, folder by folder, until all are listed or time is up. @throws Unzippable */
export async function listFiles(library: ListingLibrary, zip: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const folders = await readFolders(library, zip)
  const names = folderNames(folders)
  const access = await accessOfRequester(library, zip.requester)
  // A read-only pointer gives READ to its folder's readers, but nothing to visitors of a share link.
  const isLeftOut = async (media: AvailableMedia) => isOfShare(zip) && !(await access?.hasOnMedia('READ', media))
  let current = zip
  do current = await listSome(library, current, folders, { names, isLeftOut })
  while (current.stage === 'list' && !outOfTime())
  return current
}

async function listSome(
  library: ListingLibrary,
  zip: ZipRecord,
  folders: readonly ZippedFolder[],
  { names, isLeftOut }: { names: ReadonlyMap<string, string[]>; isLeftOut: LeavesOut },
): Promise<ZipRecord> {
  const listing = zip.listing!
  const found: ListedEntry[] = []
  let { foldersListed } = listing
  while (foldersListed < folders.length && found.length < ENTRIES_AT_ONCE) {
    const some = folders.slice(foldersListed, foldersListed + FOLDERS_AT_ONCE)
    for (const entries of await Promise.all(
      some.map((folder) => entriesOf(library, zip, folder, { taken: names.get(folder.path) ?? [], isLeftOut })),
    )) {
      for (const entry of entries) found.push(entry)
    }
    foldersListed += some.length
  }
  if (numberOf(listing, 'entries') + found.length > MAX_ENTRIES) throw new Unzippable(`it has more than ${MAX_ENTRIES} entries`)
  const lists = [...listing.lists, ...(await storeAll(library, zip, found))]
  const isLast = foldersListed === folders.length
  return changeZip(library, zip, { listing: { ...listing, foldersListed, lists }, stage: isLast ? 'prepare' : 'list' })
}

async function storeAll(library: ListingLibrary, zip: ZipRecord, entries: readonly ListedEntry[]): Promise<StoredList[]> {
  const stored: StoredList[] = []
  for (let from = 0; from < entries.length; from += ENTRIES_IN_LIST) {
    const some = entries.slice(from, from + ENTRIES_IN_LIST)
    const name = `entries-${zip.listing!.lists.length + stored.length}.${zip.revision}`
    await storeEntries(library, zip, name, some)
    stored.push({ name, entries: some.length, waiting: some.filter(({ waits }) => waits).length })
  }
  return stored
}

/** Names of subfolders by path of their parent. Files avoid these names. */
function folderNames(folders: readonly ZippedFolder[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const { path } of folders) {
    const end = path.lastIndexOf('/', path.length - 2) + 1
    const above = path.slice(0, end)
    if (path === '') continue
    const siblings = names.get(above) ?? []
    siblings.push(path.slice(end, -1))
    names.set(above, siblings)
  }
  return names
}

async function entriesOf(
  library: ListingLibrary,
  zip: ZipRecord,
  folder: ZippedFolder,
  { taken, isLeftOut }: { taken: readonly string[]; isLeftOut: LeavesOut },
): Promise<ListedEntry[]> {
  const { path, contents, created, readable, hasFolders } = folder
  const files = readable ? await deliveredOf(library, zip, await filesIn(library, contents, isLeftOut)) : []
  if (files.length === 0) return hasFolders || path === '' ? [] : [{ path, modified: created, bytes: 0, crc32: 0 }]
  const names = new EntryNames()
  for (const name of taken) names.unique(name, 'folder')
  return files.map(({ media: { mediaId, version, modified }, filename, stored }) => {
    const at = { path: `${path}${names.unique(filename, 'file')}`, modified, filename }
    return entryOf(at, { mediaId, contents, version }, stored)
  })
}

/** The imported files in a folder, in the order of naming. */
async function filesIn(library: ListingLibrary, contents: ContentsId, isLeftOut: LeavesOut): Promise<AvailableMedia[]> {
  const mediaIds = await Array.fromAsync(mediaIn(library, contents))
  // The index lags, and may name files that have left the folder.
  const files = (await getMany(library, mediaIds)).filter(isAvailable).filter(({ folders }) => folders.includes(contents))
  const leaves = await Promise.all(files.map(isLeftOut))
  return files.filter((_, index) => !leaves[index]).sort(byName)
}
