import { isInParts } from '../../../client/upload-source.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { tree } from '../folders/tree.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { session } from '../session.svelte.ts'
import type { Gathered, Wanted } from './batch.ts'
import type { EarlierUploads } from './earlier-uploads.ts'
import { openFiles } from './open-files.ts'
import { TargetFolders } from './target-folders.ts'
import { tryAgain } from './try-again.ts'

/** Files that are sent at a time. One that goes in parts goes alone, because its parts take as many connections. */
const PARALLEL = 4
/** How often the page is told how far uploads are, in milliseconds. */
const TELL = 200

export type UploadState = 'waiting' | 'sending' | 'uploaded' | 'existing' | 'failed'

/** A file on its way. Plain, because there may be 20,000: the queue tells the page of changes. */
export interface Upload {
  readonly wanted: Wanted
  /** Absent until the browser has told it. */
  file?: File | undefined
  readonly folders: TargetFolders
  /** Of all that came with it. */
  readonly earlier: Promise<EarlierUploads>
  state: UploadState
  /** Bytes that have arrived. */
  sent: number
  failure?: unknown
  /** Of the file, or of the one that is there already. */
  mediaId?: number | undefined
  /** What resumes an upload that was begun, and the file as it was then. */
  begun?: { file: File; resume: string } | undefined
  /** Ends the present try. */
  stop?: AbortController
  isCancelled?: boolean
}

/** What became of all that was dropped since the queue was last empty. */
export interface Counts {
  uploaded: number
  existing: number
  failed: number
}

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

  get isBusy(): boolean {
    void this.version
    return this.uploads.some(({ state }) => state === 'waiting' || state === 'sending')
  }

  get counts(): Counts {
    void this.version
    const counts: Counts = { uploaded: 0, existing: 0, failed: 0 }
    for (const { state } of this.uploads) if (state === 'uploaded' || state === 'existing' || state === 'failed') counts[state]++
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
      sent += state === 'waiting' || state === 'sending' ? arrived : bytes
    }
    const all = this.uploads.length
    return { sent, total: opened > 0 ? (total / opened) * all : all, isEstimate: opened < all }
  }

  /** Uploads what was gathered to a folder. Its folders are made there, also empty ones. */
  add({ files, folders }: Gathered, target: number): void {
    if (!this.isBusy) {
      this.uploads = []
      this.#next = 0
    }
    const targets = new TargetFolders(target)
    const user = session.user!.user_id
    const earlier = import('./earlier-uploads.ts').then(({ EarlierUploads }) => new EarlierUploads(user, files))
    this.#touched.add(targets)
    this.isHidden = false
    const added: Upload[] = files.map((wanted) => ({ wanted, folders: targets, earlier, state: 'waiting', sent: 0 }))
    this.uploads = [...this.uploads, ...added]
    void this.#makeFolders(targets, folders)
    this.#open(added)
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
      this.#retried.push(upload)
    }
    this.#open(failed)
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

  /** Sending begins as soon as the first file is opened. */
  #open(added: readonly Upload[]): void {
    this.#tell()
    void openFiles(added, (upload, file) => {
      upload.file = file
      if (!file && upload.state === 'waiting') {
        upload.state = 'failed'
        upload.failure = new Error(text.unreadable)
        if (!this.isBusy) void this.#end()
      }
      this.#start()
    })
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
    if (!upload?.file || this.#running + placesOf(upload) > PARALLEL) return undefined
    if (again) this.#retried.shift()
    else this.#next++
    return upload
  }

  async #send(upload: Upload): Promise<void> {
    upload.state = 'sending'
    const { wanted, folders } = upload
    const file = upload.file!
    upload.stop = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, upload.stop.signal])
    try {
      await tryAgain(async () => {
        const folder = await folders.of(wanted.folders)
        const earlier = await upload.earlier
        const known = await earlier.of(wanted, file, folder)
        if (known.uploadId) upload.begun ??= { file, resume: known.uploadId }
        upload.mediaId = known.mediaId ?? (await this.#sendTo(folder, upload, file, signal))
        if (known.mediaId === undefined) await earlier.keep(file, folder, { mediaId: upload.mediaId })
        upload.state = known.mediaId === undefined ? 'uploaded' : 'existing'
      }, signal)
    } catch (failure) {
      if (!isLarge(upload)) upload.sent = 0
      if (upload.isCancelled) return this.#giveUp(upload)
      if (signal.aborted) {
        upload.state = 'waiting'
        this.#retried.push(upload)
      } else {
        upload.state = 'failed'
        upload.failure = failure
      }
    }
  }

  async #sendTo(folder: number, upload: Upload, file: File, signal: AbortSignal): Promise<number> {
    const { begun } = upload
    const { send } = await import('./send.ts')
    return send(file, {
      folder,
      signal,
      resume: begun && isSame(begun.file, file) ? begun.resume : undefined,
      onBegin: async (resume) => {
        upload.begun = { file, resume }
        if (isLarge(upload)) await (await upload.earlier).keep(file, folder, { uploadId: resume })
      },
      onProgress: (bytes) => {
        upload.sent = bytes
        this.#tell()
      },
    })
  }

  async #giveUp(upload: Upload): Promise<void> {
    const { wanted, file, folders, begun } = upload
    upload.state = 'failed'
    upload.failure = new Error(text.cancelled)
    upload.begun = undefined
    upload.sent = 0
    this.#tell()
    if (!begun || !file || !isLarge(upload)) return
    const [{ abortParts }, earlier] = await Promise.all([import('./send.ts'), upload.earlier])
    await earlier.forget(wanted, file, await folders.of(wanted.folders))
    // The service gives it up itself after some days.
    await abortParts(begun.resume).catch(() => undefined)
  }

  async #end(): Promise<void> {
    await this.#refreshFolders()
    await currentList.showNew(this.uploads.findLast(({ state }) => state === 'uploaded')?.mediaId)
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

const placesOf = (upload: Upload): number => (isLarge(upload) ? PARALLEL : 1)

const isSame = (one: File, other: File): boolean => one.size === other.size && one.lastModified === other.lastModified

const isLarge = ({ file }: Upload): boolean => file !== undefined && isInParts(file.size)

export const uploads = new UploadQueue()
