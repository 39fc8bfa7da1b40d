import { isInParts, type UploadTarget } from '../../../client/upload-source.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { tree } from '../folders/tree.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { session } from '../session.svelte.ts'
import type { Gathered, Wanted } from './batch.ts'
import type { EarlierUploads, Namesake } from './earlier-uploads.ts'
import { openFiles } from './open-files.ts'
import { TargetFolders } from './target-folders.ts'
import { tryAgain } from './try-again.ts'

/** Files that are sent at a time. One that goes in parts goes alone, because its parts take as many connections. */
const PARALLEL = 4
/** How often the page is told how far uploads are, in milliseconds. */
const TELL = 200

/** `asking`: a file of its name is there, and the user is asked what to do. `replaced`: it is a new version of a file. */
export type UploadState = 'waiting' | 'asking' | 'sending' | Ended
type Ended = 'uploaded' | 'replaced' | 'existing' | 'skipped' | 'failed'

/** What becomes of a file whose name is taken. */
export type Choice = 'replace' | 'keep both' | 'skip'

/** Where files of a batch go. */
interface Destination {
  readonly folders: TargetFolders
  readonly earlier: Promise<EarlierUploads>
}

/** A file on its way. Plain, because there may be 20,000: the queue tells the page of changes. */
export interface Upload {
  readonly wanted: Wanted
  /** Absent until the browser has told it. */
  file?: File | undefined
  /** Absent for a new version of a certain file. */
  readonly to?: Destination
  state: UploadState
  /** Whether it is known what becomes of it. */
  isDecided?: boolean
  /** The file of its name that is there. */
  namesake?: Namesake | undefined
  /** What the user decided about that. */
  choice?: Choice | undefined
  /** The file that it replaces. */
  replaces?: number | undefined
  /** Called when it has arrived as a new version, whose import begins. */
  readonly onreplaced?: () => void
  /** Bytes that have arrived. */
  sent: number
  failure?: unknown
  /** Of the file, or of the one that is there already. */
  mediaId?: number | undefined
  /** What resumes an upload that was begun, the file as it was then, and what it replaces. */
  begun?: { file: File; resume: string; replaces?: number | undefined } | undefined
  /** Ends the present try. */
  stop?: AbortController
  isCancelled?: boolean
}

/** What became of all that was dropped since the queue was last empty. */
export type Counts = Record<Ended, number>

/** Uploads, a few at a time, in the order in which they came. */
class UploadQueue {
  uploads = $state.raw<readonly Upload[]>([])
  isPaused = $state(false)
  /** Changes with each step of an upload. */
  version = $state(0)
  /** Whether the panel was put away. */
  isHidden = $state(true)
  #next = 0
  #running = 0
  #stop = new AbortController()
  #pending: ReturnType<typeof setTimeout> | undefined
  #retried: Upload[] = []
  readonly #touched = new Set<TargetFolders>()
  /** Batches ask one after the other. */
  #asked = Promise.resolve()

  get isBusy(): boolean {
    void this.version
    return this.uploads.some(({ state }) => !isEnded(state))
  }

  get counts(): Counts {
    void this.version
    const counts: Counts = { uploaded: 0, replaced: 0, existing: 0, skipped: 0, failed: 0 }
    for (const { state } of this.uploads) if (isEnded(state)) counts[state]++
    return counts
  }

  /** Bytes that have arrived, of all. A file counts a little even where it is empty. Files that aren't opened count as the mean of the others. */
  get progress(): { sent: number; total: number; isEstimate: boolean } {
    void this.version
    let [sent, total, opened] = [0, 0, 0]
    for (const { file, state, sent: arrived } of this.uploads) {
      if (!file && state === 'waiting') continue
      const bytes = (file?.size ?? 0) + 1
      opened++
      total += bytes
      sent += isEnded(state) ? bytes : arrived
    }
    const all = this.uploads.length
    return { sent, total: opened > 0 ? (total / opened) * all : all, isEstimate: opened < all }
  }

  /** Uploads what was gathered to a folder. Its folders are made there, also empty ones. */
  add({ files, folders }: Gathered, target: number): void {
    const targets = new TargetFolders(target)
    const user = session.user!.user_id
    const earlier = import('./earlier-uploads.ts').then(({ EarlierUploads }) => new EarlierUploads(user, files))
    const to = { folders: targets, earlier }
    this.#touched.add(targets)
    this.#show(files.map((wanted) => ({ wanted, to, state: 'waiting', sent: 0 })))
    void this.#makeFolders(targets, folders)
  }

  /** Uploads a new version of a file. @param onreplaced is called when it has arrived and its import begins */
  addVersion(file: File, replaces: number, onreplaced: () => void): void {
    const wanted = { name: file.name, folders: [], source: file }
    this.#show([{ wanted, replaces, isDecided: true, onreplaced, state: 'waiting', sent: 0 }])
  }

  #show(added: readonly Upload[]): void {
    if (!this.isBusy) {
      this.uploads = []
      this.#next = 0
    }
    this.isHidden = false
    this.uploads = [...this.uploads, ...added]
    void this.#open(added)
  }

  pause(): void {
    this.isPaused = true
    this.#stop.abort()
  }

  resume(): void {
    this.isPaused = false
    this.#stop = new AbortController()
    this.#start()
  }

  retryFailed(): void {
    const failed = this.uploads.filter(({ state }) => state === 'failed')
    for (const upload of failed) {
      upload.state = 'waiting'
      upload.sent = 0
      upload.isCancelled = false
      // A file that was changed since can't be read any more, and its entry tells the present one.
      upload.file = undefined
      upload.isDecided = upload.to === undefined
      this.#retried.push(upload)
    }
    void this.#open(failed)
  }

  /** Gives up a file. It counts as failed, and can be tried again. */
  cancel(upload: Upload): void {
    upload.isCancelled = true
    upload.stop?.abort()
    if (upload.state === 'waiting') void this.#giveUp(upload)
  }

  async #makeFolders(targets: TargetFolders, folders: Gathered['folders']): Promise<void> {
    // A folder that can't be made is told of by its files.
    for (const path of folders) await targets.of(path).catch(() => undefined)
    await this.#refreshFolders()
  }

  /** Sending begins as soon as the first file is opened. About names that are taken the user is asked once all are known. */
  async #open(added: readonly Upload[]): Promise<void> {
    this.#tell()
    await openFiles(added, async (upload, file) => {
      upload.file = file
      if (!file && upload.state === 'waiting') fail(upload, new Error(text.unreadable))
      else await this.#compare(upload)
      this.#start()
    })
    if (!this.isBusy) void this.#end()
    this.#asked = this.#asked.then(() => this.#ask(added.filter(({ state }) => state === 'asking')))
  }

  /** Finds out whether a file is there already. */
  async #compare(upload: Upload): Promise<void> {
    const { to, wanted, file } = upload
    if (!to || !file || upload.state !== 'waiting') return
    try {
      const { mediaId, begun, namesake } = await tryAgain(async () =>
        (await to.earlier).of(wanted, file, await to.folders.of(wanted.folders)),
      )
      // It may have been given up meanwhile.
      if (upload.state !== 'waiting') return
      if (begun?.uploadId) upload.begun ??= { file, resume: begun.uploadId, replaces: begun.replaces }
      upload.mediaId = mediaId
      upload.namesake = namesake
      if (mediaId !== undefined) upload.state = 'existing'
      else if (!namesake) this.#decide(upload, 'keep both')
      else if (upload.choice) this.#decide(upload, upload.choice)
      else upload.state = 'asking'
    } catch (failure) {
      if (upload.state === 'waiting') fail(upload, failure instanceof DOMException ? new Error(text.unreadable) : failure)
    }
  }

  /** Asks what becomes of files whose names are taken. Those that nobody decides about are given up, and can be tried again. */
  async #ask(asking: readonly Upload[]): Promise<void> {
    if (asking.length === 0) return
    try {
      const { askAboutNames } = await import('./ask-about-names.ts')
      await askAboutNames(asking, (upload, choice) => {
        if (upload.state !== 'asking') return
        if (!choice) return void this.#giveUp(upload)
        upload.choice = choice
        this.#decide(upload, choice)
        if (choice !== 'skip') this.#retried.push(upload)
      })
    } catch (failure) {
      for (const upload of asking) if (upload.state === 'asking') fail(upload, failure)
    }
    if (!this.isBusy) void this.#end()
    this.#start()
  }

  /** A file that can't be replaced is kept, and the other beside it. */
  #decide(upload: Upload, choice: Choice): void {
    const { namesake } = upload
    upload.state = choice === 'skip' ? 'skipped' : 'waiting'
    upload.replaces = choice === 'replace' && namesake?.isReplaceable ? namesake.id : undefined
    upload.isDecided = true
  }

  #start(): void {
    this.#tell()
    while (!this.isPaused) {
      const upload = this.#take()
      if (!upload) return
      const places = placesOf(upload)
      this.#running += places
      void this.#send(upload).finally(() => {
        this.#running -= places
        this.#tell()
        if (!this.isBusy) void this.#end()
        this.#start()
      })
    }
  }

  /** The next file, if it is opened and there are places for it. */
  #take(): Upload | undefined {
    while (this.#retried[0] && this.#retried[0].state !== 'waiting') this.#retried.shift()
    while (this.uploads[this.#next] && this.uploads[this.#next]!.state !== 'waiting') this.#next++
    const [again] = this.#retried
    const upload = again ?? this.uploads[this.#next]
    if (!upload?.file || !upload.isDecided || this.#running + placesOf(upload) > PARALLEL) return undefined
    if (again) this.#retried.shift()
    else this.#next++
    return upload
  }

  async #send(upload: Upload): Promise<void> {
    upload.state = 'sending'
    const { to, wanted, replaces, onreplaced } = upload
    const file = upload.file!
    upload.stop = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, upload.stop.signal])
    try {
      upload.mediaId = await tryAgain(async () => {
        if (!to) return this.#sendTo({ replaces: replaces! }, upload, file, signal)
        const folder = await to.folders.of(wanted.folders)
        const target = replaces === undefined ? { folder } : { replaces }
        const mediaId = await this.#sendTo(target, upload, file, signal)
        // Of a file that has versions only its bytes tell whether it is there.
        if (replaces === undefined) await (await to.earlier).keep(file, folder, { mediaId })
        else if (isLarge(upload)) await (await to.earlier).forget(wanted, file, folder)
        return mediaId
      }, signal)
      upload.state = replaces === undefined ? 'uploaded' : 'replaced'
      onreplaced?.()
    } catch (failure) {
      if (!isLarge(upload)) upload.sent = 0
      if (upload.isCancelled) return this.#giveUp(upload)
      if (signal.aborted) {
        upload.state = 'waiting'
        this.#retried.push(upload)
      } else {
        fail(upload, replaces === undefined ? failure : await refusalOf(failure))
        // Another try asks anew.
        if (replaces !== undefined) upload.choice = undefined
      }
    }
  }

  async #sendTo(target: UploadTarget, upload: Upload, file: File, signal: AbortSignal): Promise<number> {
    const { begun, to, wanted } = upload
    const { replaces } = target
    const { send } = await import('./send.ts')
    return send(file, {
      ...target,
      signal,
      resume: begun && begun.replaces === replaces && isSame(begun.file, file) ? begun.resume : undefined,
      onBegin: async (resume) => {
        upload.begun = { file, resume, replaces }
        if (!isLarge(upload) || !to) return
        const folder = await to.folders.of(wanted.folders)
        await (await to.earlier).keep(file, folder, { uploadId: resume, ...(replaces !== undefined && { replaces }) })
      },
      onProgress: (bytes) => {
        upload.sent = bytes
        this.#tell()
      },
    })
  }

  async #giveUp(upload: Upload): Promise<void> {
    const { wanted, file, to, begun } = upload
    fail(upload, new Error(text.cancelled))
    upload.begun = undefined
    upload.sent = 0
    this.#tell()
    if (!begun || !file || !isLarge(upload)) return
    const { abortParts } = await import('./send.ts')
    if (to) await (await to.earlier).forget(wanted, file, await to.folders.of(wanted.folders))
    // The service gives it up itself after some days.
    await abortParts(begun.resume).catch(() => undefined)
  }

  async #end(): Promise<void> {
    await this.#refreshFolders()
    const last = (ended: Ended) => this.uploads.findLast(({ state }) => state === ended)?.mediaId
    await currentList.showNew(last('uploaded'))
    const replaced = last('replaced')
    if (replaced === undefined) return
    const { importedVersion } = await import('../versions/calls.ts')
    // What can't be known now is read some seconds later.
    await importedVersion(replaced).catch(() => undefined)
    await currentList.list?.reload()
  }

  async #refreshFolders(): Promise<void> {
    for (const targets of this.#touched) {
      const changed = [...targets.changed]
      targets.changed.clear()
      for (const folder of changed) await tree.refresh(folder).catch(() => undefined)
    }
  }

  #tell(): void {
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined
      this.version++
    }, TELL)
  }
}

const isEnded = (state: UploadState): state is Ended => state !== 'waiting' && state !== 'asking' && state !== 'sending'

function fail(upload: Upload, failure: unknown): void {
  upload.state = 'failed'
  upload.failure = failure
}

/** Why a file was not replaced, in words. */
async function refusalOf(failure: unknown): Promise<Error> {
  const { refusedText } = await import('../versions/refused-text.ts')
  return new Error(refusedText(failure))
}

const placesOf = (upload: Upload): number => (isLarge(upload) ? PARALLEL : 1)

const isSame = (one: File, other: File): boolean => one.size === other.size && one.lastModified === other.lastModified

const isLarge = ({ file }: Upload): boolean => file !== undefined && isInParts(file.size)

export const uploads = new UploadQueue()
