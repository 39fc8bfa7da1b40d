import { Readable } from 'node:stream'
import type { Objects } from '../../backends/objects/port.ts'
import { ConditionFailed } from '../../backends/table/port.ts'
import { Digesting } from '../../tools/digest.ts'
import { type CompanyId, type MediaId, NOBODY, type UserId } from '../../vocabulary/ids.ts'
import { asRead } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict } from '../errors.ts'
import { drawId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { metadataOfNew } from '../media/edit.ts'
import { fileCreation } from '../media/importing.ts'
import type { NewLinks } from '../media/link.ts'
import { getLinks } from '../media/link.ts'
import type { EditableMetadata, MediaRecord, NumberedFile } from '../media/media.ts'
import { giveBack, reserve } from '../quota/quota.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { uploadedFilename } from '../uploads/filename.ts'
import { finalization, objectPrefix, putUpload } from '../uploads/uploads.ts'
import { type SourceFile, type SourceRecord, sourceKey, sourceStateOf } from './source.ts'

/** A file of another system, with its attributes in the library. */
export interface ArrivingFile extends SourceFile {
  filename: string
  bytes: number
  open(): Promise<Readable>
  /** Folders of the company, at least one. */
  folders: readonly FolderRecord[]
  /** The folders whose pointers are read-only. */
  readOnlyIn?: readonly FolderRecord[]
  metadata: Partial<EditableMetadata>
  /** UNIX milliseconds; absent: now. */
  created?: number | undefined
  /** Wanted id; absent: a fresh one. */
  mediaId?: MediaId | undefined
  /** Who uploaded it; absent: nobody. */
  uploadedBy?: UserId | undefined
  /** Initial version; absent: 1. */
  version?: number | undefined
  /** What it says of its current version. */
  numbered?: NumberedFile & Pick<MediaRecord, 'lastNumber'>
  /** Whether former versions of it are taken next. */
  versionsFollow?: boolean
  /** Links that it had in the other system. One whose id is taken here is replaced by a link with a new id. */
  links?: NewLinks
}

/** The bytes differ from the announced size or digest. */
export class FileChanged extends Error {
  override name = 'FileChanged'

  constructor() {
    super('It has changed while it was read.')
  }
}

/**
 * Creates a file of another system in a company: stores its bytes as an upload, and creates the file and the record of its source in one
 * transaction. So repeated and concurrent calls create one file per source. A job imports the file, as for other uploads. Checks no rights.
 * @returns the file, and whether it is new
 * @throws QuotaExceeded, FileChanged, Conflict where the source id stands for another file or the wanted id is taken, Invalid for metadata
 */
export async function takeFile(
  library: Writing & { uploads: Pick<Objects, 'put'> },
  companyId: CompanyId,
  file: ArrivingFile,
): Promise<{ mediaId: MediaId; isNew: boolean }> {
  const { filename, bytes, folders, metadata, created, sourceId, md5 } = file
  const { readOnlyIn = [], uploadedBy = NOBODY, version, links = new Map(), numbered, versionsFollow } = file
  const [folder, ...others] = folders as [FolderRecord, ...FolderRecord[]]
  const initialMetadata = metadataOfNew(metadata)
  const { uploadId } = await putUpload(library, { companyId, folderId: folder.folderId, userId: NOBODY })
  const needed = { companyId, uploadId, bytes }
  await reserve(library, needed)
  try {
    const uploadKey = await store(library, uploadId, file)
    return await retryOnConflict(
      async () => {
        const known = await sourceStateOf(library, companyId, file)
        if (known.state === 'conflict') throw otherFile(sourceId, known.mediaId)
        if (known.state === 'existing') {
          // The sweep of uploads removes the bytes.
          await giveBack(library, needed)
          return { mediaId: known.mediaId, isNew: false }
        }
        const reservation = await reserve(library, needed)
        const mediaId: MediaId = file.mediaId ?? drawId()
        const attributes = {
          ...{ ...initialMetadata, ...(created !== undefined && { created }), ...(sourceId !== undefined && { sourceId }) },
          ...(version !== undefined && { version }),
          ...numbered,
        }
        const media = { mediaId, companyId, uploadedBy, filename: uploadedFilename(filename), uploadKey, ...attributes }
        const more = { others, readOnlyIn, links: await freeLinks(library, links) }
        const source: SourceRecord = { ...sourceKey(companyId, file), companyId, mediaId, md5, ...(versionsFollow && { versionsFollow }) }
        await library.table.transact({
          ...fileCreation(library, media, folder, more),
          source: { put: source, if: { mediaId: asRead(known.record?.mediaId) } },
          upload: finalization(uploadId, { mediaId }),
          ...reservation,
        })
        return { mediaId, isNew: true }
      },
      (error) => !(file.mediaId !== undefined && error instanceof ConditionFailed && error.failed('claim')),
    )
  } catch (error) {
    await giveBack(library, needed)
    if (error instanceof ConditionFailed && error.failed('claim')) throw new Conflict(`There is another file ${file.mediaId} already.`)
    throw error
  }
}

/** The wanted links whose ids are free. */
async function freeLinks(library: Writing, wanted: NewLinks): Promise<NewLinks> {
  const linkIds = [...wanted.values()].flat().map(({ linkId }) => linkId)
  const taken = new Set((await getLinks(library, linkIds, { consistent: true })).map(({ linkId }) => linkId))
  const free = [...wanted].map(([contents, links]) => [contents, links.filter(({ linkId }) => !taken.has(linkId))] as const)
  return new Map(free.filter(([, links]) => links.length > 0))
}

const otherFile = (sourceId: string | undefined, mediaId: MediaId): Conflict =>
  new Conflict(`The source id ${sourceId} stands for file ${mediaId}, which has other bytes.`)

/** Stores the bytes of an upload. @returns the object's key @throws FileChanged */
export async function store(
  { uploads }: { uploads: Pick<Objects, 'put'> },
  uploadId: string,
  { filename, bytes, md5, open }: Pick<ArrivingFile, 'filename' | 'bytes' | 'md5' | 'open'>,
): Promise<string> {
  const key = `${objectPrefix(uploadId)}${uploadedFilename(filename)}`
  const digesting = new Digesting()
  const pieces = Readable.from(digesting.passing(await open()), { objectMode: false })
  const stored = await uploads.put(key, pieces, { contentType: 'application/octet-stream' })
  if (stored.bytes !== bytes || digesting.end().md5 !== md5) throw new FileChanged()
  return key
}
