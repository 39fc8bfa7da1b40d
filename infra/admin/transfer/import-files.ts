import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import { Conflict, QuotaExceeded } from '../../../shared/library/errors.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { roomIn } from '../../../shared/library/quota/quota.ts'
import type { Place } from '../../../shared/library/transfer/place.ts'
import { type SourceFile, sourceKey, sourceStateOf } from '../../../shared/library/transfer/source.ts'
import { FileChanged, takeFile } from '../../../shared/library/transfer/take-file.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { digestOf } from '../../../shared/tools/digest.ts'
import { isJsonSidecar } from '../../../shared/tools/sidecars/names.ts'
import { type CompanyId, MAX_ID, type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { EXPORT_FILES } from './export-target.ts'
import { type ExportedVersions, importVersions, numberedBy } from './import-versions.ts'
import type { ManifestRows } from './manifest-rows.ts'
import { type Said, saidByJson, saidByRow, saidByXmp } from './said.ts'
import type { Source } from './source.ts'
import { isOfFile, Unfit } from './unfit.ts'
import type { VersionsOfFile } from './version-rows.ts'
import { type FoundFile, walk } from './walk.ts'

/** Files that are read and stored at the same time. */
const PARALLELISM = 4
/** Most bytes of a sidecar. */
const MAX_SIDECAR_BYTES = 16 * 1024 * 1024

/** A file that the library has now. */
export interface Taken {
  path: string
  sourceId: string | undefined
  mediaId: MediaId
}

/** What an import does with a company, and from where. */
export interface FileImport {
  library: Writing
  /** Absent in a dry run. */
  uploads?: Pick<Objects, 'put'>
  companyId: CompanyId
  source: Source
  /** The source's folder whose files are taken. */
  below: string
  rows: ManifestRows
  keepIds: boolean
  /** Of an export that has them, where ids are kept. */
  versions?: ExportedVersions | undefined
  /** Where a file goes: by default into the folder of these names, made where it is missing. Not asked in a dry run. @throws Invalid, Conflict */
  placeOf(said: Said, names: readonly string[]): Promise<Place>
  /** Names of the folder that a file lies in. @throws Error where one can't be a folder's */
  namesOf(said: Said, file: FoundFile): readonly string[]
  /** Called for each file that the library has. */
  taken(file: Taken): Promise<void>
  report(counts: Counts): void
}

export interface Counts {
  imported: number
  existing: number
  refused: number
  /** Former versions of files. */
  versions: number
}

/**
 * Takes every file of a source that the library does not have yet. What can't be taken is refused one by one, in the refusals of the rows, and
 * the rest goes on.
 */
export async function importFiles(run: FileImport): Promise<Counts> {
  const { refusals } = run.rows
  const counts: Counts = { imported: 0, existing: 0, refused: refusals.count, versions: 0 }
  const dryRun = new DryRun(run.uploads === undefined ? await roomIn(run.library, run.companyId) : Infinity)
  const files = walk(run.source, (path) => run.rows.has(path), run.below)
  // Of files that ask for the last room at the same time all may be refused: they ask again one by one.
  const withoutRoom: FoundFile[] = []
  const work = async () => {
    for await (const found of files) {
      if ('message' in found) refusals.add(found)
      else if (!(await importFile(run, found, counts, dryRun, 'once'))) withoutRoom.push(found)
      run.report(Object.assign(counts, { refused: refusals.count }))
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: PARALLELISM }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  for (const found of withoutRoom) await importFile(run, found, counts, dryRun, 'last')
  run.rows.refuseUntaken()
  for (const refused of run.versions?.rows.untaken() ?? []) refusals.add(refused)
  return { ...counts, refused: refusals.count }
}

/** @returns false where there was no room for it @param attempt the last one refuses it then */
async function importFile(run: FileImport, found: FoundFile, counts: Counts, dryRun: DryRun, attempt: 'once' | 'last'): Promise<boolean> {
  const { path } = found
  try {
    const { sourceId, md5, mediaId, isNew, versions } = await takeOrLook(run, found, dryRun)
    counts[isNew ? 'imported' : 'existing']++
    if (mediaId !== undefined) await run.taken({ path, sourceId, mediaId })
    if (run.versions && versions) {
      const taking = { ...run, versions: run.versions, refusals: run.rows.refusals, needRoom: (bytes: number) => dryRun.take(bytes) }
      const taken = await importVersions(taking, { path, sourceId, md5, mediaId }, versions)
      // Not in one line: others add to it during the wait.
      counts.versions += taken
    }
    return true
  } catch (error) {
    if (!isOfFile(error)) throw error
    if (error instanceof QuotaExceeded && attempt === 'once') return false
    run.rows.refusals.add({ path, message: error.message }, error instanceof Conflict && !(error instanceof QuotaExceeded))
    return true
  }
}

/** A file that the library has, or would have. */
interface Looked {
  sourceId: string | undefined
  md5: string
  /** Absent where a dry run would make it. */
  mediaId?: MediaId
  isNew: boolean
  versions?: VersionsOfFile | undefined
}

async function takeOrLook(run: FileImport, found: FoundFile, dryRun: DryRun): Promise<Looked> {
  const { library, uploads, companyId, source } = run
  const { path, name, bytes } = found
  const row = await orUnfit(() => run.rows.take(path))
  if (bytes > defaultSettings.maxUploadBytes) throw new Unfit(`is larger than ${defaultSettings.maxUploadBytes} bytes`)
  const said = saidByRow(row, await saidBeside(source, found))
  const { sourceId } = said
  const names = await orUnfit(() => run.namesOf(said, found))
  const id = run.keepIds ? await orUnfit(() => idOf(sourceId)) : undefined
  const arriving = { sourceId, md5: await md5Of(await source.open(path), bytes) }
  const versions = id === undefined ? undefined : run.versions?.rows.of(id)
  if (versions && versions.current.md5 !== arriving.md5) throw new Unfit(`has other bytes than ${EXPORT_FILES.versionsTable} says`)
  const known = await sourceStateOf(library, companyId, arriving)
  if (known.state === 'existing') return { ...arriving, mediaId: known.mediaId, isNew: false, versions }
  if (known.state === 'conflict') throw new Conflict(`The source id ${sourceId} stands for file ${known.mediaId}, which has other bytes.`)
  if (uploads === undefined) return { ...arriving, isNew: dryRun.isNew(companyId, arriving, bytes), versions }
  const made = await takeFile({ ...library, uploads }, companyId, {
    ...{ ...arriving, filename: said.filename ?? name, bytes, open: () => source.open(path) },
    ...(await run.placeOf(said, names)),
    ...{ metadata: said.metadata, created: said.created, mediaId: id },
    ...(versions && numberedBy(versions, run.versions!.userOf)),
  })
  return { ...arriving, ...made, versions }
}

async function orUnfit<T>(work: () => T): Promise<T> {
  try {
    return work()
  } catch (error) {
    throw new Unfit((error as Error).message)
  }
}

function idOf(sourceId: string | undefined): MediaId {
  if (sourceId === undefined || !/^[1-9]\d{0,9}$/.test(sourceId) || Number(sourceId) > MAX_ID)
    throw new Error('its source id is no id of a file that it could keep')
  return toMediaId(Number(sourceId))
}

/** What a run would take: it leaves nothing behind by which the second of two equal files finds the first. */
class DryRun {
  readonly #seen = new Set<string>()
  #room: number

  constructor(room: number) {
    this.#room = room
  }

  /** @throws Unfit where the quota has no room */
  isNew(companyId: CompanyId, source: SourceFile, bytes: number): boolean {
    const { pk } = sourceKey(companyId, source)
    if (this.#seen.has(pk)) return false
    this.take(bytes)
    this.#seen.add(pk)
    return true
  }

  /** @throws Unfit where the quota has no room */
  take(bytes: number): void {
    if (bytes > this.#room) throw new Unfit("The company's quota has no room for it.")
    this.#room -= bytes
  }
}

/** @throws Unfit */
async function saidBeside(source: Source, { sidecar }: FoundFile): Promise<Said> {
  if (sidecar === undefined) return { metadata: {} }
  try {
    return (isJsonSidecar(sidecar) ? saidByJson : saidByXmp)(await sidecarText(source, sidecar))
  } catch (error) {
    throw new Unfit(`The metadata beside it, ${sidecar}, can't be read: ${(error as Error).message.split('\n')[0]}`)
  }
}

async function sidecarText(source: Source, path: string): Promise<string> {
  const stream = await source.open(path)
  let bytes = 0
  async function* limited() {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > MAX_SIDECAR_BYTES) throw new Error('it is too large')
      yield chunk
    }
  }
  return text(limited())
}

/** @throws FileChanged */
async function md5Of(stream: Readable, bytes: number): Promise<string> {
  const read = await digestOf(stream)
  if (read.bytes !== bytes) throw new FileChanged()
  return read.md5
}
