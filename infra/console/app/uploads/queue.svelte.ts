import { Refused } from '../api/client.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { tree } from '../folders/tree.svelte.ts'
import { session } from '../session.svelte.ts'
import type { Gathered, Wanted } from './batch.ts'
import type { EarlierUploads } from './earlier-uploads.ts'
import { sendForm } from './send-form.ts'
import { TargetFolders } from './target-folders.ts'

/** Files that are sent at a time. */
const PARALLEL = 4
/** How often the page is told how far uploads are, in milliseconds. */
const TELL = 200
/** Tries of a file that fails for a reason that passes. */
const TRIES = 4

export type UploadState = 'waiting' | 'sending' | 'uploaded' | 'existing' | 'failed'

/** A file on its way. Plain, because there may be 20,000: the queue tells the page of changes. */
export interface Upload {
  readonly wanted: Wanted
  readonly folders: TargetFolders
  /** Of all that came with it. */
  readonly earlier: Promise<EarlierUploads>
  state: UploadState
  /** Bytes that have arrived. */
  sent: number
  failure?: unknown
  /** Of the file, or of the one that is there already. */
  mediaId?: number
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
  #told: ReturnType<typeof setTimeout> | undefined
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

  /** Bytes that have arrived, of all. A file counts a little even where it is empty. */
  get progress(): { sent: number; total: number } {
    void this.version
    let [sent, total] = [0, 0]
    for (const { wanted, state, sent: arrived } of this.uploads) {
      const bytes = wanted.file.size + 1
      total += bytes
      sent += state === 'waiting' || state === 'sending' ? arrived : bytes
    }
    return { sent, total }
  }

  /** Uploads what was gathered to a folder. Its folders are made there, also empty ones. */
  add({ files, folders, unreadable }: Gathered, target: number): void {
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
    const lost: Upload[] = unreadable.map((name) => ({
      wanted: { file: new File([], name), folders: [] },
      folders: targets,
      earlier,
      state: 'failed',
      sent: 0,
      failure: new Error(name),
    }))
    this.uploads = [...this.uploads, ...added, ...lost]
    void this.#makeFolders(targets, folders)
    this.#start()
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
    for (const upload of this.uploads) {
      if (upload.state !== 'failed') continue
      upload.state = 'waiting'
      upload.sent = 0
      this.#retried.push(upload)
    }
    this.#start()
  }

  async #makeFolders(targets: TargetFolders, folders: Gathered['folders']): Promise<void> {
    // A folder that can't be made is told of by its files.
    for (const path of folders) await targets.of(path).catch(() => undefined)
    await this.#refreshFolders()
  }

  #start(): void {
    this.#tell()
    while (!this.isPaused && this.#running < PARALLEL) {
      const upload = this.#take()
      if (!upload) return
      this.#running++
      void this.#send(upload).finally(() => {
        this.#running--
        this.#tell()
        if (!this.isBusy) void this.#end()
        this.#start()
      })
    }
  }

  #take(): Upload | undefined {
    const again = this.#retried.shift()
    if (again) return again
    while (this.#next < this.uploads.length) {
      const upload = this.uploads[this.#next++]!
      if (upload.state === 'waiting') return upload
    }
    return undefined
  }

  async #send(upload: Upload): Promise<void> {
    upload.state = 'sending'
    const { wanted, folders } = upload
    const { file } = wanted
    const { signal } = this.#stop
    for (let tries = 1; ; tries++) {
      try {
        const folder = await folders.of(wanted.folders)
        const earlier = await upload.earlier
        upload.mediaId = await earlier.idOf(wanted, folder)
        if (upload.mediaId !== undefined) {
          upload.state = 'existing'
          return
        }
        upload.mediaId = await sendForm(file, folder, signal, (bytes) => {
          upload.sent = bytes
          this.#tell()
        })
        await earlier.keep(file, folder, upload.mediaId)
        upload.state = 'uploaded'
        return
      } catch (failure) {
        upload.sent = 0
        if (signal.aborted) {
          upload.state = 'waiting'
          this.#retried.push(upload)
          return
        }
        if (tries === TRIES || !passes(failure)) {
          upload.state = 'failed'
          upload.failure = failure
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 500 * 3 ** tries))
      }
    }
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
    this.#told ??= setTimeout(() => {
      this.#told = undefined
      this.version++
    }, TELL)
  }
}

/** Whether another try may succeed: the network, or a service that is busy. */
const passes = (failure: unknown): boolean =>
  failure instanceof Refused && (failure.status === 0 || failure.status === 429 || failure.status >= 500)

export const uploads = new UploadQueue()
