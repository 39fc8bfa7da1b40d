import { ConditionFailed, type Operations, WriteConflict } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import { CATALOGUE, type MediaId, NOBODY } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { drawId } from '../fresh-id.ts'
import { copiesOfEdited } from '../media/copy-job.ts'
import { type ItemChange, itemChange, itemUpdate, metadataOfNew } from '../media/edit.ts'
import { askForImport, fileCreation, filelessCreation } from '../media/importing.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { uploadedFilename } from '../uploads/filename.ts'
import { batched } from './batches.ts'
import { openCatalogue } from './catalogue.ts'
import { type Deposit, type Depositing, deposit } from './deposit.ts'
import { type Entry, findKnown, type ItemRecord, isOtherFile, itemKey, type KnownItem, otherFileProblem } from './items.ts'

/** Batches in parallel. Each stores one file at a time. */
const PARALLELISM = 4

/** Numbers of imported items, and of unchanged ones. */
export interface Imported {
  imported: number
  unchanged: number
}

/**
 * Imports valid entries into the stock catalogue. One transaction writes each item, with the upload of its file, whose import is a job as
 * for other uploads. Unchanged items are not written, so an interrupted import can be repeated. Concurrent imports create each item once.
 * @param report receives the number of finished entries after each step
 * @throws Error if a file has changed meanwhile, or another import has set another file
 */
export async function importItems(
  library: Depositing,
  entries: Iterable<Entry>,
  report: (done: number) => void = () => undefined,
): Promise<Imported> {
  const folder = await openCatalogue(library)
  const done: Imported = { imported: 0, unchanged: 0 }
  const count = (taken: readonly boolean[]) => {
    for (const isNew of taken) done[isNew ? 'imported' : 'unchanged']++
    report(done.imported + done.unchanged)
  }
  await inParallel(batched(entries), PARALLELISM, async (batch) => {
    const known = await findKnown(library, batch)
    const bringsFile = ({ id, file }: Entry) => file !== undefined && known.get(id)?.item.file === undefined
    const isChange = (entry: Entry) => changeOf(entry, known.get(entry.id)) !== undefined
    const rest = batch.filter((entry) => !bringsFile(entry))
    for (const together of batched(rest, isChange)) count(await takeTogether(library, folder, together, known))
    for (const entry of batch.filter(bringsFile)) count(await takeWithFile(library, folder, entry))
  })
  return done
}

/** Items that were imported before, by their ids. */
type Known = ReadonlyMap<string, KnownItem>

/** @returns for each entry whether it was new or changed */
async function takeTogether(library: Depositing, folder: FolderRecord, entries: readonly Entry[], known: Known): Promise<boolean[]> {
  try {
    return await take(library, folder, entries, known)
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof WriteConflict)) throw error
    // Another import wrote one of them, the import job of its file has ended, or a random id was taken.
    const taken: boolean[] = []
    for (const entry of entries) taken.push(...(await takeAlone(library, folder, entry)))
    return taken
  }
}

/** Stores the bytes once, before the transaction, because that may be retried. */
async function takeWithFile(library: Depositing, folder: FolderRecord, entry: Entry): Promise<boolean[]> {
  const { file } = entry
  const deposited = file && (await deposit(library, folder, { filename: uploadedFilename(file.name), file }))
  return takeAlone(library, folder, entry, deposited)
}

function takeAlone(library: Depositing, folder: FolderRecord, entry: Entry, deposited?: Deposit): Promise<boolean[]> {
  return retryOnConflict(async () => take(library, folder, [entry], await findKnown(library, [entry]), deposited))
}

/** Writes entries in one transaction. @param deposited file of a single entry */
async function take(
  library: Depositing,
  folder: FolderRecord,
  entries: readonly Entry[],
  known: Known,
  deposited?: Deposit,
): Promise<boolean[]> {
  for (const entry of entries) await refuseOtherFile(entry, known.get(entry.id), deposited)
  const items = entries.map((entry) => itemOperations(library, folder, entry, known.get(entry.id), deposited))
  const operations = numbered(items)
  if (Object.keys(operations).length > 0) await library.table.transact(operations)
  return items.map((steps) => Object.keys(steps).length > 0)
}

/** @throws Error */
async function refuseOtherFile(entry: Entry, known: KnownItem | undefined, deposited: Deposit | undefined): Promise<void> {
  const imported = known?.item.file
  const isOther = deposited ? imported && imported.sha256 !== deposited.file.sha256 : await isOtherFile(entry, known)
  if (isOther) throw new Error(`The manifest can't be imported any further: ${otherFileProblem(entry.id)}.`)
}

/** The operations that import an entry; none if nothing changes. */
function itemOperations(
  library: Depositing,
  folder: FolderRecord,
  entry: Entry,
  known: KnownItem | undefined,
  deposited: Deposit | undefined,
): Operations {
  if (!known) return creationOf(library, folder, entry, deposited)
  const { item, media } = known
  const newFile = item.file ? undefined : deposited
  const change = changeOf(entry, known, newFile)
  return {
    ...((change || newFile) && { media: itemUpdate(library, media, change ?? {}, newFile?.uploadKey) }),
    ...(newFile && { import: askForImport(library, media) }),
    ...(change && !newFile && copiesOfEdited(library, [media])),
    // The revision of the file's record guards the item too.
    ...(newFile && { item: { put: { ...item, file: newFile.file } }, upload: newFile.finalization(media.mediaId) }),
  }
}

function creationOf(library: Depositing, folder: FolderRecord, entry: Entry, newFile: Deposit | undefined): Operations {
  const { id, filename, file, metadata } = entry
  const mediaId: MediaId = drawId()
  const name = uploadedFilename(filename ?? file?.name ?? id)
  const described = { mediaId, companyId: CATALOGUE, uploadedBy: NOBODY, stock: id, filename: name, ...metadataOfNew(metadata) }
  const item: ItemRecord = { ...itemKey(id), id, mediaId, ...(newFile && { file: newFile.file }) }
  return {
    ...(newFile
      ? fileCreation(library, { ...described, uploadKey: newFile.uploadKey }, folder)
      : filelessCreation(library, described, folder)),
    item: { put: item, if: { pk: { exists: false } } },
    ...(newFile && { upload: newFile.finalization(mediaId) }),
  }
}

function changeOf({ id, filename, file, metadata }: Entry, known: KnownItem | undefined, newFile?: Deposit): ItemChange | undefined {
  if (!known) return undefined
  const { media } = known
  // An item without a file and filename is named by its id.
  const isUnnamed = media.filename === uploadedFilename(id)
  const name = filename ?? (newFile && isUnnamed ? file?.name : undefined)
  return itemChange(media, { ...metadata, ...(name !== undefined && { filename: uploadedFilename(name) }) })
}

/** Merges the operations of several items into one transaction. */
function numbered(items: readonly Operations[]): Operations {
  const steps = items.flatMap((operations, number) => Object.entries(operations).map(([name, step]) => [`${number} ${name}`, step]))
  return Object.fromEntries(steps)
}
