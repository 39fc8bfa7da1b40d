import type { Objects } from '../../backends/objects/port.ts'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import type { ContentsId } from '../../vocabulary/ids.ts'
import type { Access } from '../access/access.ts'
import { readyDeliverables } from '../downloads/ready.ts'
import type { Writing } from '../library.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { mediaIn } from '../media/pointers.ts'
import { ENTRIES_IN_LIST, entryOf, type ListedEntry, readFolders, storeEntries, storeFolders } from './entries.ts'
import { fingerprintOf, foldersToZip, type ZippedFolder } from './folders.ts'
import { accessOfRequester } from './requester.ts'
import { byName, selectedEntries } from './selection.ts'
import { changeZip, type Listing, numberOf, type StoredList, Unzippable, type ZipRecord } from './zip.ts'

/** Most entries of a zip: all of them are in memory while the archive is put together. */
const MAX_ENTRIES = 1_000_000
/** A zip that keeps changing while it is made is listed so many times. */
const MAX_ATTEMPTS = 5
/** Folders whose files are read at the same time. */
const FOLDERS_AT_ONCE = 8
/** After so many entries the record is written, so that another run goes on from there. */
const ENTRIES_AT_ONCE = 5_000

interface ListingLibrary extends Writing {
  media: Pick<Objects, 'get' | 'put'>
}

/**
 * Begins a listing of what the requester may READ now, the first one or another.
 * @throws Unzippable when that is nothing, or when there were too many listings
 */
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
    // No two runs begin one with the same revision.
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
  let current = zip
  do current = await listSome(library, current, folders, names)
  while (current.stage === 'list' && !outOfTime())
  return current
}

async function listSome(
  library: ListingLibrary,
  zip: ZipRecord,
  folders: readonly ZippedFolder[],
  names: ReadonlyMap<string, string[]>,
): Promise<ZipRecord> {
  const listing = zip.listing!
  const found: ListedEntry[] = []
  let { foldersListed } = listing
  while (foldersListed < folders.length && found.length < ENTRIES_AT_ONCE) {
    const some = folders.slice(foldersListed, foldersListed + FOLDERS_AT_ONCE)
    for (const entries of await Promise.all(some.map((folder) => entriesOf(library, folder, names.get(folder.path) ?? [])))) {
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

/** The names of the folders in each folder, by its path: no file in it gets one of them. */
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

async function entriesOf(library: ListingLibrary, folder: ZippedFolder, taken: readonly string[]): Promise<ListedEntry[]> {
  const { path, contents, created, readable, hasFolders } = folder
  const files = readable ? await filesIn(library, contents) : []
  if (files.length === 0) return hasFolders || path === '' ? [] : [{ path, modified: created, bytes: 0, crc32: 0 }]
  const names = new EntryNames()
  for (const name of taken) names.unique(name, 'folder')
  const deliverables = await readyDeliverables(library, files)
  return files.map((media, index) => {
    const { mediaId, version, modified, filename } = media
    const at = { path: `${path}${names.unique(filename, 'file')}`, modified }
    return entryOf(at, { mediaId, contents, version }, deliverables[index])
  })
}

/** The imported files that are in a folder, in the order in which they are named. */
async function filesIn(library: ListingLibrary, contents: ContentsId): Promise<AvailableMedia[]> {
  const mediaIds = await Array.fromAsync(mediaIn(library, contents))
  // The index lags: it may name files that are in the folder no more.
  const files = (await getMany(library, mediaIds)).filter(isAvailable).filter(({ folders }) => folders.includes(contents))
  return files.sort(byName)
}
