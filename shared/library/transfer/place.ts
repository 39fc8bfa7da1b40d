import * as z from 'zod'
import { type ContentsId, type LinkId, toLinkId } from '../../vocabulary/ids.ts'
import { folderPath } from '../folders/paths.ts'
import type { NewLinks } from '../media/link.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { Id } from './people.ts'
import type { AppliedRights } from './rights.ts'
import type { ArrivingFile } from './take-file.ts'

/** What an export contains of a file besides its document. */
export const InLibrary = z.object({
  version: z.number().int().positive(),
  /** Folders that contain the file. The folder of its path comes first. */
  folders: z.array(z.object({ id: Id, read_only: z.literal(true).optional() })).min(1),
  links: z.array(
    z.object({
      id: z.string().regex(/^[0-9a-f]{32}$/),
      folder_id: Id,
      extension: z
        .string()
        .regex(/^[^/?#\s]{1,64}$/)
        .optional(),
    }),
  ),
})
export type InLibrary = z.infer<typeof InLibrary>

/** Where an imported file goes, and the attributes that it keeps. */
export type Place = Pick<ArrivingFile, 'folders' | 'readOnlyIn' | 'links' | 'uploadedBy' | 'version'>

/** What an import knows of a file: the export's entry, the folder in its manifest row, the uploader's id in the exporting library. */
interface ExportedFile {
  library?: InLibrary | undefined
  folder?: string | undefined
  uploadedBy?: number | undefined
}

/**
 * The place of a file of an export: the folders that stand for its former ones, with its version and uploader.
 * @param how.keepIds its links keep their addresses
 * @param how.elsewhere the folder for a manifest row that names another folder than the export
 */
export async function placeOfExported(
  { folders, users }: AppliedRights,
  { library, folder: said, uploadedBy }: ExportedFile,
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

function linksOf({ links }: InLibrary, folders: AppliedRights['folders']): NewLinks {
  const wanted = new Map<ContentsId, { linkId: LinkId; extension?: string }[]>()
  for (const { id, folder_id: folderId, extension } of links) {
    const folder = folders.get(folderId)?.folder
    if (!folder) continue
    const link = { linkId: toLinkId(id), ...(extension !== undefined && { extension }) }
    wanted.set(contentsOf(folder), [...(wanted.get(contentsOf(folder)) ?? []), link])
  }
  return wanted
}
