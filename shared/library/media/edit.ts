import { isDeepStrictEqual } from 'node:util'
import { ConditionFailed, type Operation, type Operations } from '../../backends/table/port.ts'
import type { ContentsId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { askedByEdits, type EditOf } from './after-edit.ts'
import { type Changing, type MetadataEdit, mediaChange } from './changes.ts'
import { copiesOfEdited } from './copy-job.ts'
import { available, availableMediaWith, type Expecting, getMany, requireVersion } from './find.ts'
import { noMetadata } from './importing.ts'
import { type AvailableMedia, type EditableMetadata, editable, emptiedAfter, type MediaRecord } from './media.ts'
import type { Placement } from './placement.ts'
import { placementChange, placementChanges } from './pointers.ts'
import { commitSteps } from './states.ts'

/** Most metadata of one file, in bytes of JSON. It shares an item with the file's other attributes. */
const MAX_METADATA_BYTES = 200 * 1024
/** Most files that one request may edit. A transaction holds no more. */
export const MAX_EDITED = 100

/** Changed fields. `emptied` where these go back to former values. */
type Changed = Partial<EditableMetadata> & Pick<MediaRecord, 'emptied'>

/** A function of the current metadata. It runs again when another change was faster. Undefined: nothing changes, and the version stays. */
export type Edit = (media: AvailableMedia) => Changed | undefined | Promise<Changed | undefined>

/** A file after an edit. A caller without READ on it gets back only what they sent. */
export interface Edited {
  media: AvailableMedia
  /** Whether the caller has READ on it. */
  readable: boolean
}

/** Edits all of these files or none. Needs WRITE on each. @throws NotFound, Forbidden, Conflict, Invalid, VersionMismatch */
export async function editMedia(library: AuthorizedWriting & Expecting, mediaIds: readonly MediaId[], edit: Edit): Promise<Edited[]> {
  const { access } = library
  for (const mediaId of mediaIds) await availableMediaWith(library, 'WRITE', mediaId)
  const edited = await editMetadata(library, mediaIds, edit)
  return Promise.all(edited.map(async (media) => ({ media, readable: await access.hasOnMedia('READ', media) })))
}

/** Edits one file; needs WRITE on it. @throws NotFound, Forbidden, Conflict, Invalid, VersionMismatch */
export async function editOne(library: AuthorizedWriting & Expecting, mediaId: MediaId, edit: Edit): Promise<Edited> {
  const [edited] = await editMedia(library, [mediaId], edit)
  return edited!
}

/**
 * Edits the metadata of all of these files or none. Each edit raises the version by exactly one, concurrent edits too. The caller checks rights.
 * @returns the edited files, in the order given
 * @throws NotFound, Conflict, VersionMismatch, Invalid when the metadata grows too large
 */
export async function editMetadata(library: Writing & Expecting, mediaIds: readonly MediaId[], edit: Edit): Promise<AvailableMedia[]> {
  return retryOnConflict(async () => {
    const found = await getMany(library, mediaIds)
    if (found.length < mediaIds.length) throw new NotFound('media')
    const current = found.map(available)
    for (const media of current) requireVersion(media, library.expectedVersions)
    const all = await Promise.all(current.map(async (media) => ({ media, wanted: await edit(media) })))
    const changes = all.flatMap(({ media, wanted }) => {
      if (!wanted) return []
      const change = editOf(media, wanted)
      return [{ ...mediaChange(library, media, change), before: media, change }]
    })
    if (changes.length === 0) return current
    const edited = changes.map(({ media }) => media)
    checkTogether(edited)
    const told = changes.flatMap(({ before, media }) => (media.lastStep === before.lastStep ? [] : [before]))
    const changed = Object.fromEntries(changes.map(({ media, operation }) => [`media ${media.mediaId}`, operation]))
    const copies = (room: number) => copiesOfEdited(library, edited, room)
    await commitSteps(library, told, () => commit(library, changed, changes, copies)).catch(goneIsNotFound(library, mediaIds))
    const after = new Map(edited.map((media) => [media.mediaId, media]))
    return current.map((media) => after.get(media.mediaId) ?? media)
  })
}

/** No request, and no transaction, takes as long, in milliseconds. */
const LONGEST_EDIT_MS = 60_000

/**
 * Commits the changes of files with the jobs that they make necessary. Where the transaction has no room for these, they are asked for before it, for a
 * time when it has ended, and once more after it: so they run at once, and however this process ends they run.
 * @param copies asks for copies of at most so many files
 */
async function commit(
  library: Writing,
  changed: Operations,
  edits: readonly EditOf[],
  copies: (room: number) => Operations,
): Promise<void> {
  const { table, clock } = library
  const asked = askedByEdits(library, edits)
  const room = MAX_EDITED - Object.keys(changed).length - Object.keys(asked).length
  if (room >= 0) return table.transact({ ...changed, ...asked, ...copies(room) })
  await table.transact(askedByEdits(library, edits, clock.now() + LONGEST_EDIT_MS))
  await table.transact(changed)
  await table.transact(asked)
}

/** The condition also fails for a file that was deleted meanwhile. A retry would not help. */
function goneIsNotFound(library: Writing, mediaIds: readonly MediaId[]) {
  return async (error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
    const left = await getMany(library, mediaIds)
    throw left.length === mediaIds.length ? error : new NotFound('media')
  }
}

function editOf(media: AvailableMedia, { emptied, ...edited }: Changed): MetadataEdit {
  return { edited: checked({ ...editable(media), ...edited }), emptied: emptied ?? emptiedAfter(media, edited) }
}

/** A transaction holds 4 MB, of which the table's own attributes take some. */
const MAX_TOGETHER_BYTES = 3.5 * 1024 * 1024

function checkTogether(edited: readonly AvailableMedia[]): void {
  const bytes = edited.reduce((sum, media) => sum + Buffer.byteLength(JSON.stringify(media)), 0)
  if (edited.length > 1 && bytes > MAX_TOGETHER_BYTES) {
    throw new Invalid({ path: 'id', message: 'names files that hold too much metadata together: name fewer' }, 'metadata_too_large')
  }
}

/** @throws Invalid when the metadata is too large */
export function checked(metadata: EditableMetadata): EditableMetadata {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw new Invalid({ path: '', message: `A file's metadata may be at most ${MAX_METADATA_BYTES} bytes.` }, 'metadata_too_large')
  }
  return metadata
}

/** The wanted state of a file. */
export interface WantedFile {
  /** Changed fields, and the emptied ones. */
  fields?: Partial<EditableMetadata>
  emptied?: MediaRecord['emptied']
  /** Another placement. `moved` as for `placementChange`. */
  placed?: { after: Placement; moved: ReadonlyMap<ContentsId, FolderId> }
}

/** The operations that change a file in one step, and the edit in it, whose jobs the caller asks for (`askedByEdits`). @returns undefined where nothing changes. @throws NotFound, Invalid */
export async function fileOperations(
  library: Writing,
  media: MediaRecord,
  { fields = {}, emptied, placed }: WantedFile,
): Promise<{ operations: Operations; isPlaced: boolean; edit?: EditOf } | undefined> {
  const edit = Object.keys(fields).length > 0 && { edited: checked({ ...editable(media), ...fields }), emptied }
  const placement = placed && (await placementChange(library, media, placed.after, placed.moved))
  const jobs = edit ? copiesOfEdited(library, [media]) : {}
  const edited = edit && { edit: { before: media, change: edit } }
  if (placement) {
    return { operations: { ...placementChanges(library, [{ ...placement, ...(edit && { edit }) }]), ...jobs }, isPlaced: true, ...edited }
  }
  if (!edit) return undefined
  const { operation } = mediaChange(library, media as AvailableMedia, edit)
  return { operations: { [`media ${media.mediaId}`]: operation, ...jobs }, isPlaced: false, ...edited }
}

/** Metadata that the operator sets on an item of the stock catalogue. */
export type ItemMetadata = Partial<Pick<EditableMetadata, 'title' | 'description' | 'keywords'>>

/** The metadata of a new file. @throws Invalid when it is too large */
export function metadataOfNew(metadata: Partial<EditableMetadata>): EditableMetadata & Pick<MediaRecord, 'emptied'> {
  const emptied = emptiedAfter(noMetadata, metadata)
  return { ...checked({ ...noMetadata, ...metadata }), ...(emptied && { emptied }) }
}

/** The operator's changes of an item: only what differs. */
export type ItemChange = Partial<Pick<MediaRecord, 'filename' | 'emptied'>> & ItemMetadata

/**
 * The changes that this metadata makes to an item. Many of them fit into one transaction.
 * @returns undefined where nothing differs
 * @throws Invalid when all metadata together grows too large
 */
export function itemChange(media: MediaRecord, said: ItemMetadata & { filename?: string }): ItemChange | undefined {
  const after: ItemChange = { ...said, emptied: emptiedAfter(media, said) }
  const isNew = ([field, value]: [string, unknown]) => !isDeepStrictEqual(value, media[field as keyof ItemChange])
  const change: ItemChange = Object.fromEntries(Object.entries(after).filter(isNew))
  if (Object.keys(change).length === 0) return undefined
  checked(editable({ ...media, ...change }))
  return change
}

/**
 * The operation for an operator's change of an item. It fails when the item has changed since it was read.
 * @param uploadKey object of a new file, whose import begins
 */
export function itemUpdate(library: Changing, media: MediaRecord, change: ItemChange, uploadKey?: string): Operation {
  return mediaChange(library, media, { reimported: change, uploadKey }).operation
}
