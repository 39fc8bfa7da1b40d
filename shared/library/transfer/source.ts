import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { filesWithMd5 } from '../media/checksums.ts'
import { getMedia } from '../media/find.ts'
import type { MediaRecord } from '../media/media.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { trashOwner } from '../tree/tree.ts'
import { loadTree } from '../tree/tree-store.ts'

/** A file as another system identifies it. */
export interface SourceFile {
  /** Id in the other system. Without one the bytes identify the file. */
  sourceId?: string | undefined
  /** Lower-case hex. */
  md5: string
}

/** The file that was made of a source. A repeated import finds it by this record, even before the file is imported. */
export type SourceRecord = Key & {
  companyId: CompanyId
  mediaId: MediaId
  md5: string
  /** Former versions of the file are still to be taken. */
  versionsFollow?: true
}

export function sourceKey(companyId: CompanyId, { sourceId, md5 }: SourceFile): Key {
  return { pk: `SOURCE#${companyId}#${sourceId === undefined ? `MD5#${md5}` : `ID#${sourceId}`}`, sk: 'SOURCE' }
}

/** Whether a source is in the library. `record` is left from a file that was deleted since. */
export type SourceState =
  | { state: 'new'; record?: SourceRecord }
  | { state: 'existing'; mediaId: MediaId }
  /** The source id stands for other bytes. */
  | { state: 'conflict'; mediaId: MediaId }

/** Whether a file of another system is in the library of a company: as that source, or as the same bytes outside of trashcans. */
export async function sourceStateOf(library: Reading, companyId: CompanyId, source: SourceFile): Promise<SourceState> {
  const record = await library.table.get<SourceRecord>(sourceKey(companyId, source))
  if (record && (await getMedia(library, record.mediaId)))
    return { state: record.md5 === source.md5 ? 'existing' : 'conflict', mediaId: record.mediaId }
  const same = await filesWithMd5(library, companyId, source.md5)
  const known =
    same.length > 0
      ? await outsideTrash(
          library,
          companyId,
          same.filter((media) => isSame(media, source)),
        )
      : undefined
  if (known) return { state: 'existing', mediaId: known.mediaId }
  return { state: 'new', ...(record && { record }) }
}

/** Files with the same bytes but different source ids are different files. */
const isSame = ({ sourceId }: MediaRecord, source: SourceFile): boolean =>
  source.sourceId === undefined || sourceId === undefined || sourceId === source.sourceId

async function outsideTrash(library: Reading, companyId: CompanyId, files: readonly MediaRecord[]): Promise<MediaRecord | undefined> {
  const tree = await loadTree(library, companyId)
  const isShown = (folder: FolderRecord) => trashOwner(tree, folder) === undefined
  return files.find(({ folders }) => tree.foldersOfContents(folders).some(isShown))
}
