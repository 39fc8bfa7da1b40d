import { ConditionFailed, type Operations, WriteConflict } from '../../backends/table/port.ts'
import { drawId } from '../fresh-id.ts'
import { fileCreation, filelessCreation } from '../media/importing.ts'
import { itemUpdate, metadataOfNew } from '../media/item-metadata.ts'
import { inParallel } from '../parallel.ts'
import { retryOnConflict } from '../retry.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { uploadedFilename } from '../uploads/filename.ts'
import { CATALOGUE, NOBODY } from '../vocabulary/ids.ts'
import { batched } from './batches.ts'
import { openCatalogue } from './catalogue.ts'
import { type Deposit, type Depositing, deposit } from './deposit.ts'
import {
  digestOf,
  type Entry,
  findItems,
  findKnown,
  type ItemRecord,
  isImported,
  isOtherFile,
  itemKey,
  type KnownItem,
  otherFileProblem,
} from './items.ts'

/** Batches that are worked on at the same time; each stores one file at a time. */
const PARALLELISM = 4

/** How many items were taken, and of how many nothing was new. */
export interface Imported {
  imported: number
  unchanged: number
}

/**
 * Imports items into the stock catalogue, of entries in which nothing was found wrong. Each item is taken in one transaction, where it gets a file
 * together with that file's upload; the file's own import is a job as for other uploads. What the library has is not written again. So an import
 * that was interrupted goes on where it ended, and two at the same time make each item once.
 * @param report is told after each step how many entries are done
 * @throws Error when a file has changed meanwhile, or another import gave the item another one
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
    const items = await findItems(library, batch)
    const bringsFile = ({ id, file }: Entry) => file !== undefined && items.get(id)?.file === undefined
    const isChange = (entry: Entry) => items.has(entry.id) && !isImported(entry, items.get(entry.id))
    const rest = batch.filter((entry) => !bringsFile(entry))
    for (const together of batched(rest, isChange)) count(await takeTogether(library, folder, together))
    for (const entry of batch.filter(bringsFile)) count(await takeWithFile(library, folder, entry))
  })
  return done
}

/** @returns of each whether anything was new */
async function takeTogether(library: Depositing, folder: FolderRecord, entries: readonly Entry[]): Promise<boolean[]> {
  try {
    return await take(library, folder, entries)
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof WriteConflict)) throw error
    // Another import has taken one of them, the job that imports its file has ended, or a random id was not free.
    const taken: boolean[] = []
    for (const entry of entries) taken.push(...(await retryOnConflict(() => take(library, folder, [entry]))))
    return taken
  }
}

/** The bytes are stored once, and first: then nobody waits for them in a transaction that is tried again. */
async function takeWithFile(library: Depositing, folder: FolderRecord, entry: Entry): Promise<boolean[]> {
  const { file } = entry
  const deposited = file && (await deposit(library, folder, { filename: uploadedFilename(file.name), file }))
  return retryOnConflict(() => take(library, folder, [entry], deposited))
}

/** Takes entries in one transaction. @param deposited of the one entry */
async function take(library: Depositing, folder: FolderRecord, entries: readonly Entry[], deposited?: Deposit): Promise<boolean[]> {
  const items = await findItems(library, entries)
  for (const entry of entries) await refuseOtherFile(entry, items.get(entry.id), deposited)
  const isNew = entries.map((entry) => !isImported(entry, items.get(entry.id)))
  const taken = entries.filter((_, position) => isNew[position])
  const known = await findKnown(
    library,
    taken.flatMap(({ id }) => items.get(id) ?? []),
  )
  const operations = taken.map((entry) => operationsOf(library, folder, entry, known.get(entry.id), deposited))
  if (operations.length > 0) await library.table.transact(numbered(operations))
  return isNew
}

/** @throws Error */
async function refuseOtherFile(entry: Entry, item: ItemRecord | undefined, deposited: Deposit | undefined): Promise<void> {
  const isOther = deposited ? item?.file && item.file.sha256 !== deposited.file.sha256 : await isOtherFile(entry, item)
  if (isOther) throw new Error(`The manifest can't be imported any further: ${otherFileProblem(entry.id)}.`)
}

function operationsOf(
  library: Depositing,
  folder: FolderRecord,
  entry: Entry,
  known: KnownItem | undefined,
  deposited: Deposit | undefined,
): Operations {
  const { id } = entry
  const brought = known?.item.file ? undefined : deposited
  const mediaId = known?.media.mediaId ?? drawId()
  const file = known?.item.file ?? brought?.file
  const item: ItemRecord = { ...itemKey(id), id, mediaId, entry: digestOf(entry), ...(file && { file }) }
  return {
    ...(known
      ? { media: changeOf(library, entry, known, brought) }
      : creationOf(library, folder, { ...described(entry), mediaId }, brought)),
    // An item changes together with its file's record, which counts its changes.
    item: known ? { put: item } : { put: item, if: { pk: { exists: false } } },
    ...(brought && { upload: brought.finalization(mediaId) }),
  }
}

function described({ id, filename, file, metadata }: Entry) {
  const name = uploadedFilename(filename ?? file?.name ?? id)
  return { companyId: CATALOGUE, uploadedBy: NOBODY, stock: id, filename: name, ...metadataOfNew(metadata) }
}

function creationOf(
  library: Depositing,
  folder: FolderRecord,
  item: ReturnType<typeof described> & Pick<ItemRecord, 'mediaId'>,
  brought: Deposit | undefined,
): Operations {
  return brought ? fileCreation(library, { ...item, uploadKey: brought.uploadKey }, folder) : filelessCreation(library, item, folder)
}

function changeOf(library: Depositing, { id, filename, file, metadata }: Entry, { media }: KnownItem, brought: Deposit | undefined) {
  // An item without a file is named by its id unless the operator says otherwise.
  const isUnnamed = media.filename === uploadedFilename(id)
  const name = filename ?? (brought && isUnnamed ? file?.name : undefined) ?? media.filename
  return itemUpdate(library, media, { filename: uploadedFilename(name), metadata, uploadKey: brought?.uploadKey })
}

/** The steps of several items as those of one transaction. */
function numbered(items: readonly Operations[]): Operations {
  const steps = items.flatMap((operations, number) => Object.entries(operations).map(([name, step]) => [`${number} ${name}`, step]))
  return Object.fromEntries(steps)
}
