import { inParallel, Semaphore } from '../../../shared/parallel.ts'
import type { Schemas } from '../client/client.ts'
import type { Session } from './command.ts'
import { unlessMissing } from './command.ts'
import { type ExitCode, endsRun, exitCodeOf, exitCodes, Failure, wordsOf } from './exit-code.ts'
import { checkUnchanged, localSource, md5Of } from './local-source.ts'
import type { LocalFile, Unreadable } from './local-tree.ts'
import { startProgress } from './progress.ts'
import type { Rate } from './rate.ts'
import type { StateFile } from './state-file.ts'
import { type FolderFiles, nameInLibrary, type TargetFolders } from './target-folders.ts'
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
  /** Whether a changed file takes the place of the one in its folder that was uploaded of it before, or else alone has its name. */
  replaces?: boolean
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
  /** Ids of what was uploaded, of what was there, and of what went to the trash for what was uploaded. */
  ids: { uploaded: number[]; there: number[]; replaced: number[] }
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
  /** The file of the library whose place it takes. */
  replaces?: number
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
  readonly #checkers: Semaphore
  readonly #transfers: Semaphore
  /** Why nothing more is tried. */
  #end: unknown

  constructor(session: Session, plan: UploadPlan) {
    this.#session = session
    this.#plan = plan
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
      const checked = await this.#checkers.use(() => this.#check(file))
      if (checked.media !== undefined) {
        this.result.already_there++
        this.result.ids.there.push(checked.media)
        this.#tell('already_there', file, checked.media)
      } else if (this.#plan.isDryRun) {
        this.result.uploaded++
        this.#tell(checked.replaces === undefined ? 'would_upload' : 'would_replace', file)
      } else {
        const id = await this.#upload(file, checked)
        this.result.uploaded++
        this.result.ids.uploaded.push(id)
        if (checked.replaces === undefined) this.#tell('uploaded', file, id)
      }
      if (checked.replaces !== undefined) this.result.ids.replaced.push(checked.replaces)
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
    const begun = async () => ({ ...(resume !== undefined && { resume }), ...(await this.#formerOf(file, folder, key, there)) })
    if (!candidates.some(({ bytes }) => bytes === file.bytes)) return { folder, key, ...(await begun()) }
    const md5 = await md5Of(file.path)
    await checkUnchanged(file)
    const same = candidates.find((candidate) => candidate.md5 === md5)
    if (!same) return { folder, key, md5, ...(await begun()) }
    const former = this.#plan.replaces ? kept?.replaces : undefined
    if (!this.#plan.isDryRun) {
      // A run that was killed uploaded it, and left the one before.
      if (former !== undefined) await this.#retire(former, file, folder, same.id)
      state.keep(key, { bytes: file.bytes, modified: file.modified, media: same.id, md5 })
    }
    return { folder, key, md5, media: same.id, ...(former !== undefined && { replaces: former }) }
  }

  /** The file of the library whose place a changed one takes. Names that the library takes in another form may be those of other files. */
  async #formerOf(file: LocalFile, folder: number, key: string, there: FolderFiles): Promise<Pick<Checked, 'replaces'>> {
    if (!this.#plan.replaces) return {}
    const last = this.#plan.state.last(key)
    const before = last?.replaces ?? last?.media
    const named = there.named(file.name)
    if (before !== undefined && (there.byId.has(before) ? named.some(({ id }) => id === before) : await this.#isIn(folder, before)))
      return { replaces: before }
    if (named.length > 1) this.#session.output.note(`${file.path} is copied beside ${named.length} files of its name in the library.`)
    return named.length === 1 && nameInLibrary(file.name) === file.name.normalize('NFC') ? { replaces: named[0]!.id } : {}
  }

  /** Moves a file to the trash when the one that takes its place is imported. */
  async #retire(former: number, file: LocalFile, folder: number, id: number): Promise<void> {
    const { transfers, surroundings } = this.#session
    const { signal } = surroundings
    await transfers.waitUntilAvailable(id, { signal })
    const params = { path: { id: former, folderId: folder } }
    await unlessMissing(transfers.post('/media/{id}/folder/{folderId}/move_to_trash', { params, signal }))
    this.#tell('replaced', file, id, former)
  }

  /** Whether a file is in a folder: the search knows of new files a moment later. */
  async #isIn(folder: number, id: number): Promise<boolean> {
    const folders = await unlessMissing(this.#session.transfers.get('/media/{id}/folders', { params: { path: { id } } }))
    return folders?.some(({ group_id }) => group_id === folder) ?? false
  }

  async #upload(file: LocalFile, { folder, key, resume, md5, replaces }: Checked): Promise<number> {
    const { state, rate } = this.#plan
    const { signal } = this.#session.surroundings
    const seen = { bytes: file.bytes, modified: file.modified, ...(md5 !== undefined && { md5 }) }
    const begun = { ...seen, ...(replaces !== undefined && { replaces }) }
    let arrived = 0
    try {
      // What can't be read of the metadata beside it is told before a byte is sent.
      const change = await this.#plan.changeOf?.(file)
      const id = await this.#session.transfers.upload(localSource(file), {
        folder: folder!,
        filename: nameInLibrary(file.name),
        signal,
        resume,
        md5,
        inTurn: (send) => this.#transfers.use(send),
        through: rate && ((bytes) => ReadableStream.from(rate.passed(bytes)) as typeof bytes),
        onBegin: (resume) => state.keep(key, { ...begun, resume }),
        onProgress: (bytes) => {
          this.progress.add(bytes - arrived)
          arrived = bytes
        },
      })
      // Until then the file counts as begun: another run finds its id, and gives it its metadata.
      if (change) await applyMetadata(this.#session.transfers, id, change, signal)
      if (replaces !== undefined) await this.#retire(replaces, file, folder!, id)
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

  /** @param former the file whose place it took */
  #tell(outcome: string, { path }: LocalFile, id?: number, former?: number): void {
    const { output } = this.#session
    if (!output.isJson && /^(uploaded|already_there)$/.test(outcome)) return
    const json = { outcome, path, ...(id !== undefined && { id }), ...(former !== undefined && { former_id: former }) }
    const also = former === undefined ? '' : `  (file ${former} is in the trash)`
    output.line(json, `${outcome.replace('_', ' ')}  ${path}${also}`)
  }
}
