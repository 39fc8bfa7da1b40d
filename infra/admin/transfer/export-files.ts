import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectReader } from '../../../shared/backends/objects/port.ts'
import { folderPath, namesOf } from '../../../shared/library/folders/paths.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import type { Reading } from '../../../shared/library/library.ts'
import { linkUrl } from '../../../shared/library/links/find-links.ts'
import { mediaJson } from '../../../shared/library/media/document.ts'
import { replacements } from '../../../shared/library/media/files.ts'
import { getMany } from '../../../shared/library/media/find.ts'
import { importJob } from '../../../shared/library/media/importing.ts'
import { getLinks, type LinkRecord } from '../../../shared/library/media/link.ts'
import { type AvailableMedia, hasFile, isAvailable, type MediaRecord } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { placementOf } from '../../../shared/library/media/placement.ts'
import { mediaIn } from '../../../shared/library/media/pointers.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { InLibrary } from '../../../shared/library/transfer/place.ts'
import { contentsOf, type FolderRecord } from '../../../shared/library/tree/folder.ts'
import { type Tree, trashOwner } from '../../../shared/library/tree/tree.ts'
import { EntryNames } from '../../../shared/tools/archive/entry-names.ts'
import { fieldColumns } from '../../../shared/tools/sidecars/columns.ts'
import { xmpOf } from '../../../shared/tools/sidecars/xmp.ts'
import type { ContentsId, FolderId, MediaId } from '../../../shared/vocabulary/ids.ts'
import type { Bag } from './bag.ts'
import { csvLine } from './csv.ts'
import { EXPORT_FILES, removeOthers } from './export-target.ts'
import type { ExportedVersions } from './export-versions.ts'
import { COLUMNS } from './said.ts'
import { writeWhole } from './write-whole.ts'

/** Files read from the library in one call. */
const PAGE = 100
/** Longest name that leaves room for that of a sidecar, in bytes. */
const SIDECAR_BYTES = '.json'.length

/** Dependencies of an export. */
export interface FileExport {
  library: Reading
  media: ObjectReader
  tree: Tree
  /** Folders to export, parents first, none of them in a trashcan. */
  folders: readonly FolderRecord[]
  /** A folder of the disk, empty or with a part of this export. */
  target: string
  bag: Bag
  /** Absent where former versions stay behind. */
  versions?: ExportedVersions | undefined
  /** UNIX milliseconds. */
  now: number
  report(counts: Exported): void
}

export interface Exported {
  files: number
  bytes: number
  /** Files that are left out because their import has not ended. */
  unfinished: number
  /** The same of replacements of files. */
  unfinishedVersions: number
}

/** Writes every file of some folders once, into the first of them that holds it, with its metadata beside it; and the manifest and the links. */
export async function exportFiles(run: FileExport): Promise<Exported> {
  const { library, tree, folders, target } = run
  const counts: Exported = { files: 0, bytes: 0, unfinished: 0, unfinishedVersions: 0 }
  const importing = new Set((await listJobs(library, [importJob.name], { companyId: tree.companyId })).map(({ subject }) => subject))
  const isExported = new Set(folders.map(contentsOf))
  const manifest = await open(join(target, EXPORT_FILES.manifest), 'wx')
  const links = await open(join(target, EXPORT_FILES.links), 'wx')
  try {
    await manifest.write(csvLine(COLUMNS))
    await links.write(csvLine(['path', 'source_id', 'address']))
    const paths = diskPaths(folders)
    const { path: top, inner } = paths.get(undefined)!
    await mkdir(join(target, top), { recursive: true })
    await removeOthers(join(target, top), new Set(inner))
    for (const folder of folders) {
      const { path, names, inner } = paths.get(folder.folderId)!
      const written = new Set(inner)
      await mkdir(join(target, path), { recursive: true })
      for await (const media of filesIn(library, folder)) {
        const holding = media.folders.filter((contents) => isExported.has(contents))
        if (holding[0] !== contentsOf(folder)) continue
        if (!isAvailable(media)) counts.unfinished++
        if (!isAvailable(media) || !hasFile(media)) continue
        if (importing.has(String(media.mediaId))) counts.unfinishedVersions += (await replacements(library, media.mediaId)).length
        const name = nameOf(media, names)
        const at = `${path}/${name}`
        for (const each of [name, ...sidecarsOf(name)]) written.add(each)
        const linked = await linksOf(library, media)
        await writeOne(run, media, at, inLibrary(tree, media, holding, linked))
        await run.versions?.add(media, at)
        await manifest.write(rowOf(media, at, folderPath(namesOf(tree, folder.folderId))))
        for (const address of addressesOf(linked)) await links.write(csvLine([at, String(media.mediaId), address]))
        counts.files++
        counts.bytes += media.bytes
        run.report(counts)
      }
      await removeOthers(join(target, path), written)
    }
  } finally {
    await manifest.close()
    await links.close()
  }
  return counts
}

/** What another library needs to know of a file besides its document. @param holding folders of the export that hold it, that of its path first */
function inLibrary(tree: Tree, media: AvailableMedia, holding: readonly ContentsId[], links: readonly LinkRecord[]): InLibrary {
  const placement = placementOf(media)
  const idOf = (contents: ContentsId) => tree.folderOfContents(contents)!.folderId
  return {
    version: media.version,
    folders: holding.map((contents) => ({
      id: idOf(contents),
      ...(placement.get(contents) === 'read-only' && { read_only: true as const }),
    })),
    links: links
      .filter(({ contents }) => holding.includes(contents))
      .map(({ linkId, contents, extension }) => ({ id: linkId, folder_id: idOf(contents), ...(extension !== undefined && { extension }) })),
  }
}

/** Names for disks; `%` has a meaning in bags. Room is left for the names of sidecars. */
function diskName(name: string): string {
  const safe = name.replaceAll('%', '_')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/s.exec(safe) ?? []
  const encoded = Buffer.from(stem)
  const most = 255 - SIDECAR_BYTES - Buffer.byteLength(extension)
  return encoded.length <= most
    ? safe
    : `${encoded
        .subarray(0, most)
        .toString()
        .replace(/\uFFFD+$/, '')}${extension}`
}

const sidecarsOf = (name: string): string[] => [`${name}.json`, `${name}.xmp`]

/** A name whose sidecars' names are free, too: the library may hold a file of such a name. */
function nameOf({ filename }: MediaRecord, names: EntryNames): string {
  for (;;) {
    const name = names.unique(diskName(filename), 'file')
    const sidecars = sidecarsOf(name)
    if (sidecars.map((sidecar) => names.unique(sidecar, 'file')).join() === sidecars.join()) return name
  }
}

/** A folder on the disk, the names that are given away in it, and those of the folders in it. */
interface DiskFolder {
  path: string
  names: EntryNames
  inner: string[]
}

/** Where folders are on the disk; the one of all is under no id. */
function diskPaths(folders: readonly FolderRecord[]): ReadonlyMap<FolderId | undefined, DiskFolder> {
  const top: DiskFolder = { path: EXPORT_FILES.payload, names: new EntryNames(), inner: [] }
  const paths = new Map<FolderId | undefined, DiskFolder>([[undefined, top]])
  for (const { folderId, name, parent } of folders) {
    const above = (parent !== null && paths.get(parent)) || top
    const own = above.names.unique(diskName(name), 'folder')
    above.inner.push(own)
    paths.set(folderId, { path: `${above.path}/${own}`, names: new EntryNames(), inner: [] })
  }
  return paths
}

async function* filesIn(library: Reading, folder: FolderRecord): AsyncGenerator<MediaRecord> {
  let ids: MediaId[] = []
  for await (const id of mediaIn(library, contentsOf(folder))) {
    ids.push(id)
    if (ids.length < PAGE) continue
    yield* await getMany(library, ids)
    ids = []
  }
  yield* await getMany(library, ids)
}

/** Writes a file, unless it is there already, and what is known of it. @throws Error where the bytes are not those that the library knows */
async function writeOne(
  { media: objects, target, bag, now }: FileExport,
  media: AvailableMedia,
  path: string,
  library: InLibrary,
): Promise<void> {
  const file = join(target, path)
  const sha256 = await writeWhole(file, media, () => objects.get(objectKeys.original(media)))
  if (sha256 === undefined) throw new Error(`File ${media.mediaId} (${path}) is damaged: its bytes have another MD5.`)
  bag.add(path, media.bytes, sha256)
  const document = mediaJson(media, now)
  for (const [sidecar, text] of [
    [`${path}.json`, `${JSON.stringify({ ...document, library }, null, 2)}\n`],
    [`${path}.xmp`, xmpOf(document)],
  ] as const) {
    await writeFile(join(target, sidecar), text)
    bag.addText(sidecar, text)
  }
}

/** What columns of fields can't hold is in the document beside the file. */
function rowOf(media: AvailableMedia, path: string, folder: string): string {
  const fields = Object.entries(fieldColumns).map(([name, column]) => [name, column.write(media)])
  const row: Record<string, string> = {
    ...{ path, folder, created: timestamp(media.created), source_id: String(media.mediaId) },
    ...Object.fromEntries(fields),
  }
  return csvLine(COLUMNS.map((column) => row[column] ?? ''))
}

/** The links that show a file. */
async function linksOf(library: Reading, { mediaId, links = [] }: AvailableMedia): Promise<LinkRecord[]> {
  const records = await getLinks(
    library,
    links.map(({ id }) => id),
  )
  return records.filter((link) => link.mediaId === mediaId)
}

/** What follows the host in the addresses of links. */
function addressesOf(links: readonly LinkRecord[]): string[] {
  return links.flatMap(({ published, extension, ...link }) =>
    published && extension !== undefined ? [linkUrl({ cdnUrl: '' }, { ...link, extension })] : [],
  )
}

/** The folders of a tree, or one with those below it, by their paths and so parents first: all but trashcans. */
export function exportedFolders(tree: Tree, top: FolderRecord | undefined): FolderRecord[] {
  const all = top ? tree.subtree(top.folderId) : [...tree.layout.folders]
  return all
    .filter((folder) => trashOwner(tree, folder) === undefined)
    .map((folder) => ({ folder, path: namesOf(tree, folder.folderId).join('\0') }))
    .sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : one.folder.folderId - other.folder.folderId))
    .map(({ folder }) => folder)
}
