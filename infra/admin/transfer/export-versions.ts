import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ObjectMissing, type ObjectReader } from '../../../shared/backends/objects/port.ts'
import type { Reading } from '../../../shared/library/library.ts'
import { currentFile, type FormerFile, formerFile, formerFiles } from '../../../shared/library/media/files.ts'
import type { AvailableMedia } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { EntryNames } from '../../../shared/tools/archive/entry-names.ts'
import type { StoredId } from '../../../shared/vocabulary/ids.ts'
import type { Bag } from './bag.ts'
import { csvLine } from './csv.ts'
import { EXPORT_FILES, removeOthers } from './export-target.ts'
import { VERSION_COLUMNS, type VersionColumn } from './version-table.ts'
import { writeWhole } from './write-whole.ts'

interface VersionsExport {
  library: Reading
  media: ObjectReader
  /** A folder of the disk. */
  target: string
  bag: Bag
}

/** Where the bytes of a file's versions are in the export, by what they are stored under. */
type Paths = Map<StoredId | undefined, string>

/** The versions of the files of an export: a table of all of them, and the bytes of those that aren't current, each once. */
export class ExportedVersions implements AsyncDisposable {
  /** Files that were written, and their bytes. */
  readonly counts = { files: 0, bytes: 0 }
  readonly #run: VersionsExport
  readonly #table: FileHandle
  readonly #folders = new Set<string>()

  private constructor(run: VersionsExport, table: FileHandle) {
    this.#run = run
    this.#table = table
  }

  static async begin(run: VersionsExport): Promise<ExportedVersions> {
    await mkdir(join(run.target, EXPORT_FILES.versions), { recursive: true })
    const table = await open(join(run.target, EXPORT_FILES.versionsTable), 'wx')
    await table.write(csvLine(VERSION_COLUMNS))
    return new ExportedVersions(run, table)
  }

  /** Writes the versions of a file that has any, or of which something is said. @param path of the current one in the export */
  async add(media: AvailableMedia, path: string): Promise<void> {
    const { mediaId, lastNumber, comment, pinned } = media
    if (lastNumber === undefined && comment === undefined && !pinned) return
    const current = currentFile(media)
    const former = lastNumber === undefined ? [] : (await formerFiles(this.#run.library, mediaId)).filter(isBefore(current.fileNumber))
    const paths: Paths = new Map([[media.stored, path]])
    const rows: Row[] = [{ ...rowOf(mediaId, current), current: 'true', path }]
    for (const file of former) {
      const at = file.state === 'available' ? await this.#write(file, paths) : ''
      if (at !== undefined) rows.push({ ...rowOf(mediaId, file), path: at })
    }
    await this.#removeOthers(String(mediaId), [...paths.values()])
    const last = Math.max(...rows.map(({ number }) => Number(number)))
    // It is never given again, in no library.
    if (last < current.lastNumber)
      rows.push({ ...NOTHING, media_id: String(mediaId), number: String(current.lastNumber), state: 'removed' })
    for (const row of rows) await this.#table.write(csvLine(VERSION_COLUMNS.map((column) => row[column])))
  }

  /** Removes what an earlier part of the export wrote and the library no longer has. */
  async end(): Promise<void> {
    await removeOthers(join(this.#run.target, EXPORT_FILES.versions), this.#folders)
  }

  /** @param paths that stay */
  async #removeOthers(folder: string, paths: readonly string[]): Promise<void> {
    const names = paths.filter((path) => dirname(path) === `${EXPORT_FILES.versions}/${folder}`).map((path) => basename(path))
    if (names.length === 0) return
    this.#folders.add(folder)
    await removeOthers(join(this.#run.target, EXPORT_FILES.versions, folder), new Set(names))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#table.close()
  }

  /** @returns the path of its bytes; undefined where it was deleted meanwhile */
  async #write(file: FormerFile & { state: 'available' }, paths: Paths): Promise<string | undefined> {
    const known = paths.get(file.stored)
    if (known !== undefined) return known
    const { library, media: objects, target, bag } = this.#run
    const { mediaId, fileNumber, filename, bytes } = file
    const folder = `${EXPORT_FILES.versions}/${mediaId}`
    const path = `${folder}/${nameOf(fileNumber, filename)}`
    await mkdir(join(target, folder), { recursive: true })
    try {
      const sha256 = await writeWhole(join(target, path), file, () => objects.get(objectKeys.original(file)))
      if (sha256 === undefined)
        throw new Error(`Version ${fileNumber} of file ${mediaId} (${path}) is damaged: its bytes have another MD5.`)
      bag.addTagFile(path, sha256)
    } catch (error) {
      if (!(error instanceof ObjectMissing) || (await formerFile(library, mediaId, fileNumber))) throw error
      return undefined
    }
    paths.set(file.stored, path)
    this.counts.files++
    this.counts.bytes += bytes
    return path
  }
}

type Row = Record<VersionColumn, string>

const NOTHING = Object.fromEntries(VERSION_COLUMNS.map((column) => [column, ''])) as Row

/** `%` has a meaning in bags. */
const nameOf = (number: number, filename: string): string => new EntryNames().unique(`${number}-${filename.replaceAll('%', '_')}`, 'file')

/** What became a number after the media record was read isn't exported. */
const isBefore =
  (current: number) =>
  ({ fileNumber, state }: FormerFile): boolean =>
    fileNumber < current || (state === 'failed' && fileNumber !== current)

function rowOf(mediaId: number, file: ReturnType<typeof currentFile> | FormerFile): Row {
  const { fileNumber, filename, bytes, fileCreated, fileBy, comment = '', pinned = false } = file
  return {
    ...NOTHING,
    ...{ media_id: String(mediaId), number: String(fileNumber), current: 'false', filename, bytes: String(bytes), comment },
    ...{ state: 'state' in file ? file.state : 'available', md5: ('md5' in file && file.md5) || '' },
    ...{ created: new Date(fileCreated).toISOString(), uploaded_by: String(fileBy), pinned: String(pinned) },
  }
}
