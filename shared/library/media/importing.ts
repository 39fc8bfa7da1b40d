import type { Operation, Operations } from '../../backends/table/port.ts'
import { fieldEntries } from '../../vocabulary/editable-fields.ts'
import { emptyValues } from '../../vocabulary/field-values.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { reservationEnd } from '../usage/reservations.ts'
import { usageChange } from '../usage/usage.ts'
import { feedPosition } from './change-feed.ts'
import { type Changing, mediaChange, mediaCreation, noteImport } from './changes.ts'
import type { Replacement } from './files.ts'
import { mediaKey, replacementKey } from './keys.ts'
import { askForPublication, linksAfterPlacement, type NewLinks } from './link.ts'
import type { EditableMetadata, FileFacts, MediaRecord, NumberedFile } from './media.ts'
import { placementOf } from './placement.ts'
import { pointerCreation } from './pointers.ts'
import { suggestionJobOf } from './suggestions.ts'

/** What is known of a file before its import. This metadata takes precedence over the file's own. */
export type UploadedFile = Pick<MediaRecord, 'mediaId' | 'companyId' | 'filename' | 'uploadedBy' | 'uploadKey'> & Described
/** The same for an item without a file. */
export type NamedFile = Omit<UploadedFile, 'uploadKey'>

type Described = Partial<
  EditableMetadata &
    Pick<MediaRecord, 'emptied' | 'stock' | 'sourceId' | 'created' | 'uploadedVia' | 'version' | 'lastNumber'> &
    NumberedFile
>

/**
 * The operations that create a file from an upload, in a folder, and ask for its import. `claim` fails when the id is taken.
 * @param more.others further folders that hold it
 * @param more.readOnlyIn those of all folders whose pointers are read-only
 * @param more.links its links
 */
export function fileCreation(
  library: Changing,
  file: UploadedFile,
  folder: FolderRecord,
  more: { others?: readonly FolderRecord[]; readOnlyIn?: readonly FolderRecord[]; links?: NewLinks } = {},
): Operations {
  const now = library.clock.now()
  const { others = [], readOnlyIn = [] } = more
  const all = [folder, ...others]
  const placement = { folders: all.map(contentsOf), ...(readOnlyIn.length > 0 && { readOnlyIn: readOnlyIn.map(contentsOf) }) }
  const importing = { state: 'importing', progress: 0 } as const
  const { links, operations } = linksAfterPlacement(library, { ...file, ...importing }, placementOf(placement), all, more.links)
  const media = { ...noMetadata, created: now, ...file, ...importing, modified: now, ...placement, links }
  const job = askForImport(library, file)
  const pointers = others.map((other) => [`pointer in ${other.folderId}`, pointerCreation(library, file, other)])
  return {
    ...{ claim: mediaCreation(library, media), pointer: pointerCreation(library, file, folder), import: job },
    ...Object.fromEntries(pointers),
    ...operations,
  }
}

/**
 * The operations that create an item of the stock catalogue without a file. It needs no import, so it is available at once. `claim` fails when the id
 * is taken.
 */
export function filelessCreation(library: Changing, item: NamedFile, folder: FolderRecord): Operations {
  const now = library.clock.now()
  const available = { state: 'available', progress: 100, uploadKey: '', ...feedPosition(item, now) } as const
  const media = { ...noMetadata, ...noBytes, ...item, ...available, created: now, modified: now, folders: [contentsOf(folder)] }
  return { claim: mediaCreation(library, media), pointer: pointerCreation(library, item, folder) }
}

const noBytes = {
  ...{ kind: 'generic', mime: 'application/octet-stream', extension: '', crc32: 0, bytes: 0, width: null, height: null },
  ...{ iptc: null, geolocation: null, cameraCreated: null, suggestedKeywords: [], renditions: {} },
} satisfies FileFacts

/** The metadata of a file without any. */
export const noMetadata = Object.fromEntries(
  fieldEntries.flatMap(({ field, is, later }) => (later ? [] : [[field, emptyValues[is]]])),
) as EditableMetadata

/**
 * The operations that make an imported file available, count it, and ask for the publication of its links. They fail when it has changed since it was
 * read.
 * @param suggestionsWanted whether keywords are to be suggested for its picture
 */
export function importEnd(
  library: Changing,
  media: MediaRecord,
  imported: FileFacts & Partial<EditableMetadata>,
  suggestionsWanted: boolean,
): Operations {
  const { mediaId, companyId, uploadedBy, links = [] } = media
  return {
    media: mediaChange(library, media, { imported, suggestionsWanted }).operation,
    ...(suggestionsWanted && { suggestions: suggestionJobOf(library, media) }),
    ...askForPublication(library, companyId, links),
    usage: usageChange({ mediaId, companyId, uploadedBy, bytes: imported.bytes }, 1),
    reservation: reservationEnd(companyId, media.uploadKey),
  }
}

/** Records the progress of an import, in percent. It never decreases, even with concurrent runs of the same import. */
export async function reportProgress(library: Pick<Writing, 'table'>, mediaId: MediaId, progress: number): Promise<void> {
  await noteImport(library, mediaId, { set: { progress } }, { progress: { below: progress } })
}

/**
 * Counts an attempt at inspecting a file while it runs. An attempt that ends, even with an error, is uncounted. An attempt whose process dies stays
 * counted.
 */
export async function countingAttempt<T>(library: Pick<Writing, 'table'>, mediaId: MediaId, attempt: () => Promise<T>): Promise<T> {
  return counted((attempts) => noteImport(library, mediaId, { add: { attempts } }), attempt)
}

/** The same for a replacement. */
export async function countingReplacement<T>(
  { table }: Pick<Writing, 'table'>,
  { mediaId, id }: Pick<Replacement, 'mediaId' | 'id'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const add = (attempts: 1 | -1) => table.update(replacementKey(mediaId, id), { add: { attempts } }, { pk: { exists: true } })
  return counted((attempts) => held(add(attempts)), attempt)
}

async function counted<T>(add: (attempts: 1 | -1) => Promise<unknown>, attempt: () => Promise<T>): Promise<T> {
  await add(1)
  try {
    return await attempt()
  } finally {
    await add(-1)
  }
}

/** Attempts at inspecting a file that crashed. Includes any that run now. */
export const crashedAttempts = ({ attempts = 0 }: Pick<MediaRecord, 'attempts'>): number => attempts

/** Marks a file whose import has failed at the last try. The operator finds it among the failed jobs. */
export async function markDelayed(library: Pick<Writing, 'table'>, mediaId: MediaId): Promise<void> {
  await noteImport(library, mediaId, { set: { delayed: true } })
}

/** Stores the ThumbHash of an imported file. `revision` and `by` stay: the search index holds no hash. Does nothing where the file has other bytes now, or is gone. */
export async function noteThumbhash(
  { table }: Pick<Writing, 'table'>,
  { mediaId, uploadKey }: Pick<MediaRecord, 'mediaId' | 'uploadKey'>,
  thumbhash: string,
): Promise<void> {
  await held(table.update(mediaKey(mediaId), { set: { thumbhash } }, { state: { equals: 'available' }, uploadKey: { equals: uploadKey } }))
}

/** Longest run of an import, in seconds. */
export const IMPORT_SECONDS = 900

/** Imports the file of a finalized upload. */
export const importJob = new JobKind<{ mediaId: MediaId }>('import-media')

/** The write that asks for the import of a file, in the transaction that makes the file wait for it. */
export const askForImport = (
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
): Operation => importJob.ask(library, { companyId, subject: String(mediaId), input: { mediaId } })
