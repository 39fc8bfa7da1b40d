import type { WantedLinks } from '../../../shared/library/media/links.ts'
import { contentsOf, type FolderRecord } from '../../../shared/library/tree/folder.ts'
import { type ContentsId, type LinkId, toLinkId } from '../../../shared/vocabulary/ids.ts'
import { folderPath } from './folder-path.ts'
import type { Place } from './import-files.ts'
import type { AppliedRights } from './rights.ts'
import type { InLibrary, Said } from './said.ts'

/**
 * Where a file of an export goes: into the folders that stand for those it was in, with its version and uploader.
 * @param how.keepIds its links keep their addresses
 * @param how.elsewhere the folder where its row of the manifest names another one than the export did
 */
export async function placeOfExported(
  { folders, users }: AppliedRights,
  { library, folder: said, uploadedBy }: Said,
  { keepIds, elsewhere }: { keepIds: boolean; elsewhere(): Promise<FolderRecord> },
): Promise<Place> {
  const [first, ...others] = (library?.folders ?? []).map(({ id, read_only: readOnly }) => ({ ...folders.get(id), readOnly }))
  const isThere = first?.folder !== undefined && first.path !== undefined && (said === undefined || said === folderPath(first.path))
  const held = new Map<number, { folder: FolderRecord; readOnly: boolean }>()
  for (const { folder, readOnly = false } of [isThere ? first : { folder: await elsewhere(), readOnly: false }, ...others])
    if (folder && !held.has(folder.folderId)) held.set(folder.folderId, { folder, readOnly })
  const all = [...held.values()]
  return {
    folders: all.map(({ folder }) => folder),
    readOnlyIn: all.filter(({ readOnly }) => readOnly).map(({ folder }) => folder),
    ...(library && { version: library.version, ...(keepIds && { links: linksOf(library, folders) }) }),
    uploadedBy: uploadedBy === undefined ? undefined : users.get(uploadedBy),
  }
}

function linksOf({ links }: InLibrary, folders: AppliedRights['folders']): WantedLinks {
  const wanted = new Map<ContentsId, { linkId: LinkId; extension?: string }[]>()
  for (const { id, folder_id: folderId, extension } of links) {
    const folder = folders.get(folderId)?.folder
    if (!folder) continue
    const link = { linkId: toLinkId(id), ...(extension !== undefined && { extension }) }
    wanted.set(contentsOf(folder), [...(wanted.get(contentsOf(folder)) ?? []), link])
  }
  return wanted
}
