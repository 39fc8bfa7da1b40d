import { inParallel, Semaphore } from '../../../shared/parallel.ts'
import { MediaLibraryError, type Schemas } from '../client/client.ts'
import type { Session } from './command.ts'
import { unlessMissing } from './command.ts'
import { type ExitCode, endsRun, exitCodeOf, exitCodes, Failure, wordsOf } from './exit-code.ts'
import { localSource } from './local-source.ts'
import type { LocalFile, Unreadable } from './local-tree.ts'
import { startProgress } from './progress.ts'
import type { Rate } from './rate.ts'
import { settledVersions } from './settled-versions.ts'
import { nameInLibrary } from './target-folders.ts'
import { type Checked, type CheckPlan, UploadCheck } from './upload-check.ts'
import { applyMetadata } from './upload-metadata.ts'

export interface UploadPlan extends CheckPlan {
  files: AsyncIterable<LocalFile | Unreadable>
  /** Forms and parts that are sent at a time: a large file is sent by several transfers. */
  transfers: number
  checkers: number
  /** So many failures end the run. */
  maxErrors: number
  rate?: Rate | undefined
  /** What is changed of a file once it is imported. */
  changeOf?(file: LocalFile): Promise<Schemas['BulkChange'] | undefined>
}

export interface Uploaded {
  uploaded: number
  already_there: number
  failed: number
  /** Ids of what was uploaded or got another version, of what was there, and of what went to the trash for what was uploaded. */
  ids: { uploaded: number[]; there: number[]; replaced: number[] }
  /** Of what went wrong; 0 where nothing did. */
  exitCode: ExitCode
}

/** What became of a file. */
interface Sent {
  id: number
  /** Of the version that it is, where it replaced another one. */
  number?: number | undefined
  /** The file that went to the trash for it. */
  retired?: number | undefined
  /** Whether the library had its bytes by then. */
  isUnchanged: boolean
}

/**
 * Uploads files, several at a time. Each ends as uploaded, already there or failed, and one that fails stops no other. After an end in the
 * middle the state says what is done, and what was begun.
 */
export async function runUpload(session: Session, plan: UploadPlan): Promise<Uploaded> {
  const run = new UploadRun(session, plan)
  try {
    await inParallel(plan.files, plan.transfers, (file) => run.take(file))
  } finally {
    run.progress.end()
  }
  return run.result
}

class UploadRun {
  readonly result: Uploaded = {
    uploaded: 0,
    already_there: 0,
    failed: 0,
    ids: { uploaded: [], there: [], replaced: [] },
    exitCode: exitCodes.done,
  }
  readonly progress
  readonly #session: Session
  readonly #plan: UploadPlan
  readonly #check: UploadCheck
  readonly #checkers: Semaphore
  readonly #transfers: Semaphore
  /** Why nothing more is tried. */
  #end: unknown

  constructor(session: Session, plan: UploadPlan) {
    this.#session = session
    this.#plan = plan
    this.#check = new UploadCheck(session, plan)
    this.#checkers = new Semaphore(plan.checkers)
    this.#transfers = new Semaphore(plan.rate?.transfers(plan.transfers) ?? plan.transfers)
    this.progress = startProgress(session.surroundings, 'Uploading')
  }

  /** Never rejects. */
  async take(file: LocalFile | Unreadable): Promise<void> {
    const { surroundings } = this.#session
    if ('why' in file) return this.#fail(file.path, new Failure(exitCodes.someFailed, file.why))
    try {
      surroundings.signal.throwIfAborted()
      if (this.#end) throw this.#end
      const checked = await this.#checkers.use(() => this.#check.check(file))
      if (checked.media !== undefined) await this.#takeThere(file, checked, checked.media)
      else if (this.#plan.isDryRun) this.#foresee(file, checked)
      else await this.#send(file, checked)
      this.progress.fileDone()
    } catch (error) {
      this.#fail(file.path, error)
    }
  }

  async #takeThere(file: LocalFile, { folder, key, resume, retires, md5, number }: Checked, id: number): Promise<void> {
    const { state, isDryRun } = this.#plan
    if (!isDryRun) {
      // A run that was killed uploaded it, and may not have come to its metadata.
      const change = resume === undefined ? undefined : await this.#plan.changeOf?.(file)
      if (change) await applyMetadata(this.#session.transfers, id, change, this.#session.surroundings.signal)
      if (retires !== undefined) await this.#retire(retires, file, folder!, id)
      if (md5 !== undefined) state.keep(key, { bytes: file.bytes, modified: file.modified, media: id, md5, number })
    }
    if (retires !== undefined) this.result.ids.replaced.push(retires)
    this.result.already_there++
    this.result.ids.there.push(id)
    this.#tell('already_there', file, { id })
  }

  #foresee(file: LocalFile, { versionOf, retires }: Checked): void {
    const { ids } = this.result
    this.result.uploaded++
    if (versionOf !== undefined) ids.uploaded.push(versionOf)
    if (retires !== undefined) ids.replaced.push(retires)
    this.#tell(versionOf === undefined && retires === undefined ? 'would_upload' : 'would_replace', file)
  }

  async #send(file: LocalFile, checked: Checked): Promise<void> {
    const { id, number, retired, isUnchanged } = await this.#upload(file, checked)
    const { ids } = this.result
    this.result[isUnchanged ? 'already_there' : 'uploaded']++
    ids[isUnchanged ? 'there' : 'uploaded'].push(id)
    if (retired !== undefined) ids.replaced.push(retired)
    else if (isUnchanged) this.#tell('already_there', file, { id })
    else this.#tell(number === undefined ? 'uploaded' : 'replaced', file, { id, number })
  }

  /** Moves a file to the trash when the one that takes its place is imported. */
  async #retire(former: number, file: LocalFile, folder: number, id: number): Promise<void> {
    const { transfers, surroundings } = this.#session
    const { signal } = surroundings
    await transfers.waitUntilAvailable(id, { signal })
    const params = { path: { id: former, folderId: folder } }
    await unlessMissing(transfers.post('/media/{id}/folder/{folderId}/move_to_trash', { params, signal }))
    this.#tell('replaced', file, { id, former })
  }

  async #upload(file: LocalFile, checked: Checked): Promise<Sent> {
    try {
      return await this.#uploadOnce(file, checked)
    } catch (error) {
      const { versionOf } = checked
      const isOfOtherType = error instanceof MediaLibraryError && error.code === 'media_type_differs'
      if (!isOfOtherType || versionOf === undefined || this.#plan.versions !== 'sync') throw error
      return this.#uploadOnce(file, { ...checked, versionOf: undefined, resume: undefined, retires: versionOf })
    }
  }

  async #uploadOnce(file: LocalFile, { folder, key, resume, md5, versionOf, retires }: Checked): Promise<Sent> {
    const { state, rate } = this.#plan
    const { signal } = this.#session.surroundings
    const seen = { bytes: file.bytes, modified: file.modified, ...(md5 !== undefined && { md5 }) }
    const begun = { ...seen, ...(versionOf !== undefined && { versionOf }), ...(retires !== undefined && { replaces: retires }) }
    let arrived = 0
    let isUnchanged = false
    try {
      // What can't be read of the metadata beside it is told before a byte is sent.
      const change = await this.#plan.changeOf?.(file)
      const id = await this.#session.transfers.upload(localSource(file), {
        // Where the service knows no versions it refuses what names no folder.
        ...(versionOf === undefined ? { folder: folder! } : { replaces: versionOf }),
        filename: nameInLibrary(file.name),
        signal,
        resume,
        md5,
        inTurn: (send) => this.#transfers.use(send),
        through: rate && ((bytes) => ReadableStream.from(rate.passed(bytes)) as typeof bytes),
        onBegin: (resume) => state.keep(key, { ...begun, resume }),
        onUnchanged: () => {
          isUnchanged = true
        },
        onProgress: (bytes) => {
          this.progress.add(bytes - arrived)
          arrived = bytes
        },
      })
      const number = versionOf === undefined ? undefined : await this.#importedAs(id, md5)
      if (versionOf !== undefined && number === undefined) {
        // Another run sends it again.
        state.keep(key, begun)
        throw new Failure(exitCodes.someFailed, `It could not be imported as a version of file ${id}, which stays as it was.`)
      }
      // Until then the file counts as begun: another run finds its id, and gives it its metadata.
      if (change) await applyMetadata(this.#session.transfers, id, change, signal)
      if (retires !== undefined) await this.#retire(retires, file, folder!, id)
      state.keep(key, { ...seen, media: id, ...(number !== undefined && { number }) })
      return { id, number, retired: retires, isUnchanged }
    } catch (error) {
      this.progress.add(-arrived)
      throw error
    }
  }

  /** The number that a version was given when its import ended; undefined where that failed. */
  async #importedAs(id: number, md5: string | undefined): Promise<number | undefined> {
    const { transfers, surroundings } = this.#session
    // By then somebody else may have made another one the current one.
    const made = (await settledVersions(transfers, id, surroundings.signal)).find((version) => version.file_md5 === md5)
    return made?.number ?? undefined
  }

  #fail(path: string, error: unknown): void {
    const { output, surroundings } = this.#session
    this.result.failed++
    if (surroundings.signal.aborted) {
      this.result.exitCode = exitCodes.interrupted
      return
    }
    const own = exitCodeOf(error)
    const isWorse = own === exitCodes.forbidden || own === exitCodes.limit
    if (isWorse || this.result.exitCode === exitCodes.done) this.result.exitCode = isWorse ? own : exitCodes.someFailed
    if (error === this.#end) return
    if (endsRun(error)) this.#end = error
    else if (this.result.failed >= this.#plan.maxErrors) this.#end = error
    output.note(`failed: ${path}: ${wordsOf(error)}`)
    if (this.#end) output.note('Nothing more is tried.')
  }

  /** @param of.number that of a new version @param of.former the file that went to the trash for it */
  #tell(outcome: string, { path }: LocalFile, of: { id?: number; number?: number | undefined; former?: number } = {}): void {
    const { output } = this.#session
    if (!output.isJson && /^(uploaded|already_there)$/.test(outcome)) return
    const { id, number, former } = of
    const json = {
      ...{ outcome, path },
      ...(id !== undefined && { id }),
      ...(number !== undefined && { file_number: number }),
      ...(former !== undefined && { former_id: former }),
    }
    const version = number === undefined ? '' : `  (version ${number} of file ${id})`
    const trashed = former === undefined ? '' : `  (file ${former} is in the trash)`
    output.line(json, `${outcome.replace('_', ' ')}  ${path}${version}${trashed}`)
  }
}
