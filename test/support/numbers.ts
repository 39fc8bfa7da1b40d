import type { Table, TableReader } from '../../shared/backends/table/port.ts'
import { type FormerFile, formerFileCreation, formerFiles } from '../../shared/library/media/files.ts'
import { getMedia } from '../../shared/library/media/find.ts'
import { type AvailableMedia, isAvailable } from '../../shared/library/media/media.ts'
import { toMediaId } from '../../shared/vocabulary/ids.ts'

/** An imported file. */
export async function availableFile(table: TableReader, id: number): Promise<AvailableMedia> {
  const media = await getMedia({ table }, toMediaId(id))
  if (!media || !isAvailable(media)) throw new Error(`${id} is not imported`)
  return media
}

/** All numbers of a file, newest first. */
export async function numbersOf(table: TableReader, id: number): Promise<number[]> {
  const { fileNumber = 1 } = await availableFile(table, id)
  const former = await formerFiles({ table }, toMediaId(id))
  return [fileNumber, ...former.map((each) => each.fileNumber)].sort((a, b) => b - a)
}

/** Makes the import of a replacement fail, as far as the numbers of its file tell. @returns its number */
export async function failNumber(table: Table, id: number): Promise<number> {
  const { mediaId, companyId, revision, lastNumber = 1 } = await availableFile(table, id)
  const failed: FormerFile = {
    ...{ mediaId, companyId, state: 'failed', fileNumber: lastNumber + 1, fileCreated: 0, fileBy: 1 as never },
    ...{ filename: 'broken.jpg', uploadKey: 'upload/broken', bytes: 7 },
  }
  await table.transact({
    failed: formerFileCreation(failed),
    media: { update: { pk: `MEDIA#${id}`, sk: 'MEDIA' }, changes: { set: { lastNumber: lastNumber + 1, revision: revision + 1 } } },
  })
  return lastNumber + 1
}
