import type { Objects } from '../../../shared/backends/objects/port.ts'
import type { Writing } from '../../../shared/library/library.ts'
import type { SourceFile } from '../../../shared/library/transfer/source.ts'
import { type ArrivingFile, FileChanged } from '../../../shared/library/transfer/take-file.ts'
import {
  type ArrivingVersion,
  endOfVersions,
  numbersOfArriving,
  takeFailedVersion,
  takeVersion,
} from '../../../shared/library/transfer/take-version.ts'
import { digestOf } from '../../../shared/tools/digest.ts'
import { type CompanyId, type MediaId, NOBODY, type UserId } from '../../../shared/vocabulary/ids.ts'
import { EXPORT_FILES } from './export-target.ts'
import type { Refusals } from './refusals.ts'
import type { Source } from './source.ts'
import { isOfFile, Unfit } from './unfit.ts'
import type { AvailableVersion, FailedVersion, VersionRows, VersionsOfFile } from './version-rows.ts'

/** The versions of an export, which an import with ids takes. */
export interface ExportedVersions {
  rows: VersionRows
  /** Names of the folders with former versions. */
  folders: ReadonlySet<string>
  /** A user by the id in the other library. */
  userOf(id: number): UserId | undefined
}

interface VersionsImport {
  library: Writing
  /** Absent in a dry run. */
  uploads?: Pick<Objects, 'put'> | undefined
  companyId: CompanyId
  source: Source
  versions: ExportedVersions
  refusals: Refusals
  /** Asked in a dry run. @throws Error where the quota has no room */
  needRoom(bytes: number): void
}

/** A file of an export that has versions. */
interface VersionedFile extends SourceFile {
  /** Of its current version, in the source. */
  path: string
  /** Absent where a dry run would make it. */
  mediaId?: MediaId | undefined
}

/** The folders of a source that hold former versions. Links are none. */
export async function versionFolders(source: Source): Promise<ReadonlySet<string>> {
  const isThere = (await source.list('')).some(({ name, kind }) => name === EXPORT_FILES.versions && kind === 'folder')
  const entries = isThere ? await source.list(EXPORT_FILES.versions) : []
  return new Set(entries.flatMap(({ name, kind }) => (kind === 'folder' ? [name] : [])))
}

/** What a file says of its current version. Nothing of one that was never replaced, and of which nothing is said. */
export function numberedBy({ current, former, failed, lastNumber }: VersionsOfFile, userOf: ExportedVersions['userOf']): Numbered {
  const { number: fileNumber, created: fileCreated, uploaded_by: by, comment, pinned } = current
  const said = { ...(comment !== '' && { comment }), ...(pinned && { pinned }) }
  if (lastNumber === 1) return { numbered: said }
  const numbered = { ...said, fileNumber, lastNumber, fileCreated, fileBy: userOf(by) ?? NOBODY }
  return { numbered, versionsFollow: former.length + failed.length > 0 }
}

type Numbered = Pick<ArrivingFile, 'numbered' | 'versionsFollow'>

/**
 * Takes the versions of a file that the library does not have yet. What can't be taken is refused one by one.
 * @returns how many were taken, or would be
 */
export async function importVersions(run: VersionsImport, file: VersionedFile, versions: VersionsOfFile): Promise<number> {
  const { library, companyId, refusals, uploads } = run
  const { mediaId } = file
  const of = mediaId === undefined ? undefined : { companyId, mediaId }
  const there = of ? await numbersOfArriving(library, of, file) : new Set<number>()
  if (!there) return 0
  const paths = await pathsOf(run, versions.current.media_id)
  let [taken, refused] = [0, 0]
  for (const version of versions.former.filter(({ number }) => !there.has(number))) {
    const path = version.path === versions.current.path ? file.path : paths.get(version.path.normalize('NFC'))
    try {
      if (path === undefined) throw new Unfit(`is named by ${EXPORT_FILES.versionsTable}, and is not there`)
      const arriving = { ...saidOf(run, version), md5: version.md5, open: () => run.source.open(path) }
      if (of && uploads) await takeVersion({ ...library, uploads }, of, arriving)
      else await look(run, arriving)
      taken++
    } catch (error) {
      if (!isOfFile(error)) throw error
      refused++
      refusals.add({ path: version.path, message: error.message })
    }
  }
  if (!of || !uploads) return taken
  for (const failed of versions.failed) await takeFailedVersion(library, of, saidOf(run, failed))
  if (refused === 0) await endOfVersions(library, companyId, file)
  return taken
}

/** @throws Unfit, SourceUnreadable where it would not be taken */
async function look(run: VersionsImport, { bytes, md5, open }: ArrivingVersion): Promise<void> {
  const read = await digestOf(await open())
  if (read.bytes !== bytes || read.md5 !== md5) throw new FileChanged()
  run.needRoom(bytes)
}

function saidOf({ versions }: VersionsImport, version: AvailableVersion | FailedVersion) {
  const { number, filename, bytes, created, uploaded_by: by, comment, pinned } = version
  return { number, filename, bytes, created, uploadedBy: versions.userOf(by), comment, pinned }
}

/** Paths of a file's former versions that the source has, by their NFC: a disk may have decomposed them. */
async function pathsOf({ source, versions: { folders } }: VersionsImport, mediaId: number): Promise<ReadonlyMap<string, string>> {
  if (!folders.has(String(mediaId))) return new Map()
  const folder = `${EXPORT_FILES.versions}/${mediaId}`
  const paths = (await source.list(folder)).flatMap(({ name, kind }) => (kind === 'file' ? [`${folder}/${name}`] : []))
  return new Map(paths.map((path) => [path.normalize('NFC'), path]))
}
