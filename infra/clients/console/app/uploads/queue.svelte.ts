import { currentList } from '../files/current-list.svelte.ts'
import { tree } from '../folders/tree.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { session } from '../session.svelte.ts'
import type { Gathered } from './batch.ts'
import { openFiles } from './open-files.ts'
import { TargetFolders } from './target-folders.ts'
import { tryAgain } from './try-again.ts'
import { type Choice, type Counts, countsOf, type Ended, isEnded, isLarge, progressOf, type Upload } from './upload.ts'

/** Files that are sent at a time. One that goes in parts goes alone, because its parts take as many connections. */
const PARALLEL = 4
/** How often the page is told how far uploads are, in milliseconds. */
const TELL = 200

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

  /** What became of all that was dropped since the queue was last empty. */
  get counts(): Counts {
    void this.version
    return countsOf(this.uploads)
  }

  get progress(): ReturnType<typeof progressOf> {
    void this.version
    return progressOf(this.uploads)
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
    const { replaces } = upload
    upload.stop = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, upload.stop.signal])
    try {
      const { send } = await import('./send.ts')
      upload.mediaId = await send(upload, signal, () => this.#tell())
      upload.state = replaces === undefined ? 'uploaded' : upload.isUnchanged ? 'existing' : 'replaced'
      upload.onreplaced?.()
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

  async #giveUp(upload: Upload): Promise<void> {
    const { begun } = upload
    fail(upload, new Error(text.cancelled))
    upload.begun = undefined
    upload.sent = 0
    this.#tell()
    if (!begun || !isLarge(upload)) return
    const { abandon } = await import('./send.ts')
    await abandon(upload, begun.resume)
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

export const uploads = new UploadQueue()
