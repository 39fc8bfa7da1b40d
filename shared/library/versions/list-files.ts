import type { AuthorizedReading } from '../access/access.ts'
import { Invalid } from '../errors.ts'
import type { Reading } from '../library.ts'
import type { Delivering } from '../media/delivery.ts'
import { currentFile, type FormerFile, formerFiles, type Replacement, replacements } from '../media/files.ts'
import { available, findMedia } from '../media/find.ts'
import type { AvailableMedia, MediaRecord } from '../media/media.ts'
import { currentEntry, type FileEntry, formerEntry, replacementEntry } from './entry.ts'

export interface FilesPage {
  files: FileEntry[]
  /** Where to go on. Absent at the end. */
  cursor?: string
}

/**
 * The files of a media record, newest first: those that are being imported, then the numbers from the highest down. Needs WRITE.
 * @param page.cursor of an earlier page. Numbers that come later don't move what it stands for
 * @throws NotFound, Forbidden, Conflict while the first one is being imported, Invalid for a cursor of something else
 */
export async function listFiles(
  library: AuthorizedReading & Delivering,
  media: MediaRecord,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<FilesPage> {
  await library.access.requireMedia('WRITE', media)
  const position = positionOf(cursor)
  const all = await filesAfter(library, available(media), position, limit + 1)
  const page = all.slice(0, limit)
  const last = page.at(-1)
  return {
    files: await Promise.all(page.map((file) => entryOf(library, file))),
    ...(last && all.length > limit && { cursor: cursorOf(last) }),
  }
}

type Listed = { replacement: Replacement } | { current: AvailableMedia } | { former: FormerFile }

/** Behind the replacement with this id, or the number. */
type Position = { replacement: string } | { number: number } | undefined

/** Reads the records again where a file became current, or failed, between two reads: else it would be missing, or come twice. */
async function filesAfter(library: Reading, read: AvailableMedia, position: Position, limit: number): Promise<Listed[]> {
  for (let media = read; ; ) {
    const files = await filesOf(library, media, position, limit)
    const now = available(await findMedia(library, media.mediaId))
    if (now.lastNumber === media.lastNumber) return files
    media = now
  }
}

async function filesOf(library: Reading, media: AvailableMedia, position: Position, limit: number): Promise<Listed[]> {
  const { mediaId } = media
  const below = position && 'number' in position ? position.number : undefined
  const importing = below === undefined ? await replacements(library, mediaId) : []
  const isBehind = ({ id }: Replacement) => !position || !('replacement' in position) || id < position.replacement
  const { fileNumber } = currentFile(media)
  const former = await formerFiles(library, mediaId, { limit, ...(below !== undefined && { below }) })
  const numbers = [
    ...former.map((each) => ({ number: each.fileNumber, file: { former: each } })),
    ...(below === undefined || fileNumber < below ? [{ number: fileNumber, file: { current: media } }] : []),
  ]
  numbers.sort((a, b) => b.number - a.number)
  return [...importing.filter(isBehind).map((replacement) => ({ replacement })), ...numbers.map(({ file }) => file)].slice(0, limit)
}

function entryOf(library: Reading & Delivering, file: Listed): FileEntry | Promise<FileEntry> {
  if ('replacement' in file) return replacementEntry(file.replacement)
  return 'current' in file ? currentEntry(library, file.current) : formerEntry(library, file.former)
}

function cursorOf(file: Listed): string {
  if ('replacement' in file) return `importing-${file.replacement.id}`
  return `number-${'current' in file ? currentFile(file.current).fileNumber : file.former.fileNumber}`
}

/** @throws Invalid */
function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return undefined
  const [, kind, of] = /^(importing|number)-(.+)$/s.exec(cursor) ?? []
  if (kind === 'importing') return { replacement: of! }
  if (kind === 'number' && /^[1-9]\d{0,9}$/.test(of!)) return { number: Number(of) }
  throw new Invalid({ path: 'cursor', message: 'must be one of an earlier answer' })
}
