import { ObjectMissing, type ObjectReader, type Objects } from '../../backends/objects/port.ts'
import { type ContentsId, type FolderId, type MediaId, toContentsId, toMediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { TreeRights } from '../access/tree-rights.ts'
import { changedSince } from '../media/change-feed.ts'
import { holds } from '../tree/folder.ts'
import { fingerprintOf, foldersToZip } from './entries.ts'
import { type ZipRecord, zipObjects } from './zip.ts'

/** Most changes that a request compares. With more the zip is made again. */
const MOST_CHANGES = 1_000

/** Whether a DONE zip equals a new one: folders, files and the caller's rights are unchanged. False if unknown. */
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
 * Whether the caller may still READ every folder with files in a DONE zip. Deleted folders don't count, because their rights are gone.
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

/** Whether all folders of these files may be READ. Deleted folders don't count. */
export function mayReadFolders(rights: TreeRights, files: Iterable<ZippedFile>): boolean {
  const held = new Set(Array.from(files, ({ contents }) => contents))
  return rights.tree.foldersOfContents([...held]).every((folder) => holds(rights.of(folder), 'READ'))
}

/** A file of a zip, in one of the folders that hold it. */
export interface ZippedFile {
  mediaId: MediaId
  contents: ContentsId
  version: number
}

/** Bytes per file: three 32-bit numbers. */
const FILE_BYTES = 12

/** Stores the files of a zip, for later requests to compare with changes. */
export async function storeContents(
  { media }: { media: Pick<Objects, 'put'> },
  { jobId }: ZipRecord,
  files: readonly ZippedFile[],
): Promise<void> {
  const bytes = Buffer.alloc(files.length * FILE_BYTES)
  for (const [index, { mediaId, contents, version }] of files.entries()) {
    const at = index * FILE_BYTES
    bytes.writeUInt32LE(mediaId, at)
    bytes.writeUInt32LE(contents, at + 4)
    bytes.writeUInt32LE(version, at + 8)
  }
  await media.put(zipObjects.contents(jobId), bytes, { contentType: 'application/octet-stream' })
}

/** The entries of given files in a zip: their contents ids and versions. Undefined where unknown. */
async function zippedVersions(
  library: { media: Pick<ObjectReader, 'get'> },
  zip: ZipRecord,
  mediaIds: ReadonlySet<number>,
): Promise<Map<number, Map<number, number>> | undefined> {
  const files = await readContents(library, zip)
  if (!files) return undefined
  const found = new Map<number, Map<number, number>>()
  for (const { mediaId, contents, version } of files) {
    if (!mediaIds.has(mediaId)) continue
    const versions = found.get(mediaId) ?? new Map<number, number>()
    found.set(mediaId, versions.set(contents, version))
  }
  return found
}

/** The files of a zip. Undefined where unknown. */
async function readContents(
  { media }: { media: Pick<ObjectReader, 'get'> },
  { jobId }: ZipRecord,
): Promise<Iterable<ZippedFile> | undefined> {
  const body = await media.get(zipObjects.contents(jobId)).catch((error: unknown) => {
    if (error instanceof ObjectMissing) return undefined
    throw error
  })
  return body && filesIn(Buffer.concat(await body.stream.toArray()))
}

function* filesIn(bytes: Buffer): Generator<ZippedFile> {
  for (let at = 0; at < bytes.length; at += FILE_BYTES) {
    const [mediaId, contents] = [toMediaId(bytes.readUInt32LE(at)), toContentsId(bytes.readUInt32LE(at + 4))]
    yield { mediaId, contents, version: bytes.readUInt32LE(at + 8) }
  }
}
