import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { TRIES, tryAgain } from '../uploads/try-again.ts'
import { sendingCalls } from './calls.ts'

/** A file that its sender chose. Others' files are not told of. */
export class SentFile {
  readonly file: File
  state = $state<'waiting' | 'sending' | 'sent' | 'failed'>('waiting')
  /** Bytes that have arrived. */
  sent = $state(0)
  failure = $state.raw<unknown>()
  /** Of an upload that was begun. */
  uploadId: string | undefined

  constructor(file: File) {
    this.file = file
  }
}

/** Sends files into the shared folder, one after the other. */
export class Sending {
  files = $state.raw<readonly SentFile[]>([])
  readonly #onsent: (id: number) => void
  readonly #onended: (failure: unknown) => void
  #isBusy = false

  /** @param onsent called with each file that is made @param onended called when the link turns out to have ended */
  constructor(onsent: (id: number) => void, onended: (failure: unknown) => void) {
    this.#onsent = onsent
    this.#onended = onended
  }

  get isBusy(): boolean {
    return this.files.some(({ state }) => state === 'waiting' || state === 'sending')
  }

  count(state: SentFile['state']): number {
    return this.files.filter((each) => each.state === state).length
  }

  add(files: readonly File[]): void {
    this.files = [...this.files, ...files.map((file) => new SentFile(file))]
    void this.#run()
  }

  retryFailed(): void {
    for (const each of this.files) if (each.state === 'failed') each.state = 'waiting'
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let next = this.#next(); next; next = this.#next()) await this.#send(next)
    this.#isBusy = false
  }

  #next(): SentFile | undefined {
    return this.files.find(({ state }) => state === 'waiting')
  }

  async #send(sent: SentFile): Promise<void> {
    sent.state = 'sending'
    const options = {
      onBegin: (uploadId: string) => {
        sent.uploadId = uploadId
      },
      onProgress: (bytes: number) => {
        sent.sent = bytes
      },
    }
    try {
      const { uploadInParts } = await import('../../../client/upload-parts.ts')
      const id = await tryAgain(() => uploadInParts(sendingCalls, sent.file, { ...options, resume: sent.uploadId }, TRIES))
      sent.state = 'sent'
      this.#onsent(id)
    } catch (failure) {
      sent.state = 'failed'
      sent.failure = failure
      if (failure instanceof MediaLibraryError && ['share_not_found', 'password_required'].includes(failure.code)) this.#onended(failure)
    }
  }
}
