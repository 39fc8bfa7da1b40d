import type { Key } from '../../backends/table/port.ts'
import { currentFile, type FormerFile, formerFiles, type Replacement, replacements } from '../media/files.ts'
import { importJob } from '../media/importing.ts'
import { FORMER_FILES, formerFileKey, REPLACEMENTS } from '../media/keys.ts'
import type { AvailableMedia, FileFacts } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import { storedOf } from '../media/replacing.ts'
import { addressOf } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** A replacement that waits longer than this, in milliseconds, is stuck. */
const REPLACED_WITHIN_MS = 86_400_000

/** The numbers of a file that aren't current, and what is to become one. */
export interface Numbers {
  former: readonly FormerFile[]
  waiting: readonly Replacement[]
}

const isFormer = (item: Key): item is Key & FormerFile => item.sk.startsWith(FORMER_FILES)
const isWaiting = (item: Key): item is Key & Replacement => item.sk.startsWith(REPLACEMENTS)

/** Whether an item is there only as long as its file. States are not among them: an edit may leave one while the file is purged, and they expire. */
export const isOfNumber = (item: Key): item is Key & (FormerFile | Replacement) => isFormer(item) || isWaiting(item)

export const numbersIn = (items: readonly Key[]): Numbers => ({ former: items.filter(isFormer), waiting: items.filter(isWaiting) })

/** The same of a file; reads nothing where neither its record nor its objects tell of another number. */
export async function numbersOf(library: Library, media: AvailableMedia, objects: Iterable<string>): Promise<Numbers> {
  const files = `${objectKeys.prefix(media)}files/`
  const isReplaced = media.lastNumber !== undefined || [...objects].some((key) => key.startsWith(files))
  if (!isReplaced) return { former: [], waiting: [] }
  const [former, waiting] = [await formerFiles(library, media.mediaId), await replacements(library, media.mediaId)]
  return { former, waiting }
}

/** What is known of stored bytes of a file. */
export type StoredBytes = FileFacts & Pick<AvailableMedia, 'stored'>

/** The bytes that numbers of a file have, those of the current one first. Numbers may share them. */
export function storedBytes(media: AvailableMedia, { former }: Pick<Numbers, 'former'>): StoredBytes[] {
  const all: StoredBytes[] = [media, ...former.filter((each) => each.state === 'available')]
  return [...Map.groupBy(all, ({ stored }) => stored).values()].map(([first]) => first!)
}

/** Whether an object may be one that an import stores now. */
export const isBeingStored = (media: AvailableMedia, { waiting }: Pick<Numbers, 'waiting'>, object: string): boolean =>
  waiting.some((replacement) => object.startsWith(objectKeys.files(media, storedOf(replacement))))

/** Yields the problems of numbers of an imported file, as far as the table tells. */
export async function* checkNumbers(library: Library, media: AvailableMedia, { former, waiting }: Numbers): AsyncGenerator<Problem> {
  const ids = { company_id: media.companyId, media_id: media.mediaId }
  const { fileNumber, lastNumber } = currentFile(media)
  for (const each of former) {
    const object = addressOf(formerFileKey(media.mediaId, each.fileNumber))
    if (each.fileNumber === fileNumber || each.fileNumber > lastNumber) yield problem('file_number_wrong', { ...ids, object })
  }
  const [, ...others] = storedBytes(media, { former })
  const versionBytes = others.reduce((sum, { bytes }) => sum + bytes, 0)
  if (versionBytes !== (media.versionBytes ?? 0)) yield problem('version_bytes_wrong', ids)
  if (waiting.some(({ created }) => created < library.clock.now() - REPLACED_WITHIN_MS)) yield problem('replacement_stuck', ids)
  if (waiting.length > 0 && !(await importJob.find(library, String(media.mediaId)))) yield problem('replacement_not_swept', ids)
}
