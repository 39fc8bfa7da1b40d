import type { Schemas } from '../client/client.ts'
import { forEachParallel } from '../client/parallel.ts'
import type { Session } from './command.ts'
import { unlessMissing } from './command.ts'
import { type ExitCode, endsRun, exitCodeOf, exitCodes, Failure, wordsOf } from './exit-code.ts'
import { checkUnchanged, localSource, md5Of } from './local-source.ts'
import type { LocalFile, Unreadable } from './local-tree.ts'
import { startProgress } from './progress.ts'
import type { Rate } from './rate.ts'
import { Slots } from './slots.ts'
import type { StateFile } from './state-file.ts'
import { nameInLibrary, type TargetFolders } from './target-folders.ts'
import { applyMetadata } from './upload-metadata.ts'

export interface UploadPlan {
  files: AsyncIterable<LocalFile | Unreadable>
  targets: TargetFolders
  state: StateFile
  /** How a file that is there already is recognized: by its bytes, its name, both, or never. */
  skipExisting: 'md5' | 'name' | 'both' | 'none'
  /** Forms and parts that are sent at a time: a large file is sent by several transfers. */
  transfers: number
  checkers: number
  isDryRun: boolean
  /** So many failures end the run. */
  maxErrors: number
  rate: Rate | undefined
  /** What is changed of a file once it is imported. */
  changeOf?(file: LocalFile): Promise<Schemas['BulkChange'] | undefined>
}

export interface Uploaded {
  uploaded: number
  already_there: number
  failed: number
  /** Ids of what was uploaded, and of what was there. */
  ids: { uploaded: number[]; there: number[] }
  /** Of what went wrong; 0 where nothing did. */
  exitCode: ExitCode
}

/** What is known of a file before it is uploaded. */
interface Checked {
  folder: number | undefined
  key: string
  /** Where it is there already. */
  media?: number
  resume?: string
  md5?: string
}

/**
 * Uploads files, several at a time. Each ends as uploaded, already there or failed, and one that fails stops no other. After an end in the
 * middle the state says what is done, and what was begun.
 */
export async function runUpload(session: Session, plan: UploadPlan): Promise<Uploaded> {
  const run = new UploadRun(session, plan)
  try {
    await forEachParallel(plan.files, plan.transfers, (file) => run.take(file))
  } finally {
    run.progress.end()
  }
  return run.result
}

class UploadRun {
  readonly result: Uploaded = { uploaded: 0, already_there: 0, failed: 0, ids: { uploaded: [], there: [] }, exitCode: exitCodes.done }
  readonly progress
  readonly #session: Session
  readonly #plan: UploadPlan
  readonly #checkers: Slots
  readonly #transfers: Slots
  /** Why nothing more is tried. */
  #end: unknown

  constructor(session: Session, plan: UploadPlan) {
    this.#session = session
    this.#plan = plan
    this.#checkers = new Slots(plan.checkers)
    this.#transfers = new Slots(plan.transfers)
    this.progress = startProgress(session.surroundings, 'Uploading')
  }

  /** Never rejects. */
  async take(file: LocalFile | Unreadable): Promise<void> {
    const { surroundings } = this.#session
    if ('why' in file) return this.#fail(file.path, new Failure(exitCodes.someFailed, file.why))
    try {
      surroundings.signal.throwIfAborted()
      if (this.#end) throw this.#end
      const checked = await this.#checkers.use(() => this.#check(file))
      if (checked.media !== undefined) {
        this.result.already_there++
        this.result.ids.there.push(checked.media)
        this.#tell('already_there', file, checked.media)
      } else if (this.#plan.isDryRun) {
        this.result.uploaded++
        this.#tell('would_upload', file)
      } else {
        const id = await this.#upload(file, checked)
        this.result.uploaded++
        this.result.ids.uploaded.push(id)
        this.#tell('uploaded', file, id)
      }
      this.progress.fileDone()
    } catch (error) {
      this.#fail(file.path, error)
    }
  }

  async #check(file: LocalFile): Promise<Checked> {
    const { targets, state, skipExisting } = this.#plan
    const folder = await targets.of(file.folders)
    const key = `${folder} ${file.path}`
    if (folder === undefined) return { folder, key }
    const kept = state.get(key, file)
    if (skipExisting === 'none') return { folder, key, ...(kept?.media === undefined && kept) }
    const there = await targets.filesIn(folder)
    if (kept?.media !== undefined && (there.byId.has(kept.media) || (await this.#isIn(folder, kept.media))))
      return { folder, key, media: kept.media }
    if (skipExisting === 'name') {
      const [same] = there.named(file.name)
      return { folder, key, ...(same && { media: same.id }), ...(kept?.resume !== undefined && { resume: kept.resume }) }
    }
    const resume = kept?.media === undefined ? kept?.resume : undefined
    const candidates = skipExisting === 'both' ? there.named(file.name) : there.ofSize(file.bytes)
    if (!candidates.some(({ bytes }) => bytes === file.bytes)) return { folder, key, ...(resume !== undefined && { resume }) }
    const md5 = await md5Of(file.path)
    await checkUnchanged(file)
    const same = candidates.find((candidate) => candidate.md5 === md5)
    if (same && !this.#plan.isDryRun) state.keep(key, { bytes: file.bytes, modified: file.modified, media: same.id, md5 })
    return { folder, key, md5, ...(same ? { media: same.id } : resume !== undefined && { resume }) }
  }

  /** Whether a file is in a folder: the search knows of new files a moment later. */
  async #isIn(folder: number, id: number): Promise<boolean> {
    const folders = await unlessMissing(this.#session.library.get('/media/{id}/folders', { params: { path: { id } } }))
    return folders?.some(({ group_id }) => group_id === folder) ?? false
  }

  async #upload(file: LocalFile, { folder, key, resume, md5 }: Checked): Promise<number> {
    const { state, rate } = this.#plan
    const { signal } = this.#session.surroundings
    const seen = { bytes: file.bytes, modified: file.modified, ...(md5 !== undefined && { md5 }) }
    let arrived = 0
    const source = localSource(file, { take: async (bytes) => rate?.take(bytes, signal) })
    try {
      const id = await this.#session.transfers.upload(source, {
        folder: folder!,
        filename: nameInLibrary(file.name),
        signal,
        resume,
        md5,
        inTurn: (send) => this.#transfers.use(send),
        onBegin: (begun) => state.keep(key, { ...seen, resume: begun }),
        onProgress: (bytes) => {
          this.progress.add(bytes - arrived)
          arrived = bytes
        },
      })
      // Until then the file counts as begun: another run finds its id, and gives it its metadata.
      const change = await this.#plan.changeOf?.(file)
      if (change) await applyMetadata(this.#session.transfers, id, change, signal)
      state.keep(key, { ...seen, media: id })
      return id
    } catch (error) {
      this.progress.add(-arrived)
      throw error
    }
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

  #tell(outcome: string, { path }: LocalFile, id?: number): void {
    const { output } = this.#session
    if (output.isJson || outcome === 'would_upload')
      output.line({ outcome, path, ...(id !== undefined && { id }) }, `${outcome.replace('_', ' ')}  ${path}`)
  }
}
