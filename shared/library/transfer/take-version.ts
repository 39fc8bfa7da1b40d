import type { Readable } from 'node:stream'
import type { Objects } from '../../backends/objects/port.ts'
import { type CompanyId, type MediaId, NOBODY, type UserId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Reading, Writing } from '../library.ts'
import { type FormerFile, formerFileCreation, formerFiles, replacementCreation, replacements } from '../media/files.ts'
import { askForImport } from '../media/importing.ts'
import { newReplacementId } from '../media/replacing.ts'
import { giveBack, reserve } from '../quota/quota.ts'
import { uploadedFilename } from '../uploads/filename.ts'
import { finalization, putUpload } from '../uploads/uploads.ts'
import { type SourceFile, type SourceRecord, sourceKey } from './source.ts'
import { store } from './take-file.ts'

/** A former version of a file of another system. */
export interface ArrivingVersion {
  number: number
  filename: string
  bytes: number
  /** Lower-case hex. */
  md5: string
  /** UNIX milliseconds. */
  created: number
  uploadedBy?: UserId | undefined
  comment: string
  pinned: boolean
  open(): Promise<Readable>
}

/** A version whose import had failed there. */
export type FailedVersion = Omit<ArrivingVersion, 'md5' | 'open'>

type OfCompany = { companyId: CompanyId; mediaId: MediaId }

/** The numbers that a file has of those that `takeFile` said would follow. @returns undefined where none are to follow */
export async function numbersOfArriving(
  library: Reading,
  { companyId, mediaId }: OfCompany,
  source: SourceFile,
): Promise<ReadonlySet<number> | undefined> {
  const record = await library.table.get<SourceRecord>(sourceKey(companyId, source))
  if (record?.mediaId !== mediaId || !record.versionsFollow) return undefined
  // In this order: a version whose import ends meanwhile is there twice rather than not at all.
  const waiting = await replacements(library, mediaId)
  const former = await formerFiles(library, mediaId)
  return new Set([...waiting.flatMap(({ former }) => former?.fileNumber ?? []), ...former.map(({ fileNumber }) => fileNumber)])
}

/**
 * Stores a former version of a file that `takeFile` has made. The job that imports the file imports it, too, as a number that isn't current.
 * @throws QuotaExceeded, FileChanged
 */
export async function takeVersion(
  library: Writing & { uploads: Pick<Objects, 'put'> },
  { companyId, mediaId }: OfCompany,
  { number, pinned, uploadedBy = NOBODY, comment, ...version }: ArrivingVersion,
): Promise<void> {
  const { bytes } = version
  const { uploadId } = await putUpload(library, { companyId, replaces: mediaId, userId: NOBODY })
  const needed = { companyId, uploadId, bytes }
  await reserve(library, needed)
  try {
    const uploadKey = await store(library, uploadId, version)
    const reservation = await reserve(library, needed)
    const id = await newReplacementId(library, mediaId)
    const former = { fileNumber: number, fileCreated: version.created, ...(pinned && { pinned }) }
    const said = { filename: uploadedFilename(version.filename), bytes, uploadedBy, ...(comment !== '' && { comment }), former }
    await library.table.transact({
      replacement: replacementCreation({ ...said, mediaId, companyId, id, uploadKey, created: library.clock.now(), by: library.by }),
      upload: finalization(uploadId, { mediaId }),
      import: askForImport(library, { companyId, mediaId }),
      ...reservation,
    })
  } catch (error) {
    await giveBack(library, needed)
    throw error
  }
}

/** Notes a version whose import had failed. Idempotent. */
export async function takeFailedVersion({ table }: Pick<Writing, 'table'>, of: OfCompany, version: FailedVersion): Promise<void> {
  const { number: fileNumber, bytes, created: fileCreated, uploadedBy: fileBy = NOBODY, comment, pinned } = version
  const filename = uploadedFilename(version.filename)
  const said = { ...(comment !== '' && { comment }), ...(pinned && { pinned }) }
  const failed: FormerFile = { ...of, ...said, state: 'failed', fileNumber, filename, bytes, fileCreated, fileBy, uploadKey: '' }
  await held(table.transact({ failed: formerFileCreation(failed) }))
}

/** Notes that all versions of a file have followed: those that are deleted from now on never come again. */
export async function endOfVersions({ table }: Pick<Writing, 'table'>, companyId: CompanyId, source: SourceFile): Promise<void> {
  await table.update(sourceKey(companyId, source), { remove: ['versionsFollow'] })
}
