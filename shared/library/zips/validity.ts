import type { ObjectReader } from '../../backends/objects/port.ts'
import type { FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { TreeRights } from '../access/tree-rights.ts'
import { changedSince } from '../media/changes-since.ts'
import { holds } from '../tree/rights.ts'
import { readContents, type ZippedFile, zippedVersions } from './contents.ts'
import { fingerprintOf, foldersToZip } from './folders.ts'
import type { ZipRecord } from './zip.ts'

/** Changes of files since a zip was made that a request looks at. After more the zip is made anew. */
const MOST_CHANGES = 1_000

/**
 * Whether a zip that is DONE holds what a new one would: nothing of the folders, of the files in them, and of what the caller may READ has
 * changed since. Where that isn't known it says no.
 */
export async function isCurrent(library: AuthorizedReading & { media: Pick<ObjectReader, 'get'> }, zip: ZipRecord): Promise<boolean> {
  const { companyId, folderId, listing } = zip
  if (!listing || folderId === undefined) return false
  const rights = await library.access.rightsOnAll(companyId)
  const folders = foldersToZip(rights, folderId)
  if (fingerprintOf(rights.tree.get(folderId)?.name ?? '', folders) !== listing.fingerprint) return false
  const changed = await changedSince(library, companyId, listing.asOf, MOST_CHANGES)
  if (!changed) return false
  if (changed.size === 0) return true
  const zipped = await zippedVersions(library, zip, new Set(changed.keys()))
  if (!zipped) return false
  const contents = new Set<number>(folders.filter(({ readable }) => readable).map((folder) => folder.contents))
  return [...changed].every(([mediaId, media]) => {
    const was = zipped.get(mediaId) ?? new Map<number, number>()
    const is = media?.folders.filter((folder) => contents.has(folder)) ?? []
    return is.length === was.size && is.every((folder) => was.get(folder) === media!.version)
  })
}

/**
 * Whether the caller may still READ every folder whose files are in a zip that is DONE. Folders that are gone don't count: who had rights on
 * them can't be told any more.
 */
export async function mayHave(library: AuthorizedReading & { media: Pick<ObjectReader, 'get'> }, zip: ZipRecord): Promise<boolean> {
  const { access } = library
  const { companyId, folderId, listing } = zip
  if (!access.isMember(companyId)) return false
  const rights = await access.rightsOnAll(companyId)
  const isAsListed = (folder: FolderId) =>
    fingerprintOf(rights.tree.get(folder)?.name ?? '', foldersToZip(rights, folder)) === listing?.fingerprint
  if (folderId !== undefined && isAsListed(folderId)) return true
  const files = await readContents(library, zip)
  return files !== undefined && mayReadFolders(rights, files)
}

/** Whether all folders in which these files were may be READ. Those that are gone don't count. */
export function mayReadFolders(rights: TreeRights, files: Iterable<ZippedFile>): boolean {
  const held = new Set(Array.from(files, ({ contents }) => contents))
  return rights.tree.foldersOfContents([...held]).every((folder) => holds(rights.of(folder), 'READ'))
}
