import { inParallel } from '../../../shared/parallel.ts'
import type { Calls } from './calls.ts'
import { MediaLibraryError } from './media-library-error.ts'
import { pause } from './retries.ts'
import { sendUntilTaken } from './send.ts'
import type { UploadOptions, UploadSource } from './upload-source.ts'

/** Most parts of a file that are sent at a time. */
const PARALLEL = 4
/** Addresses that are asked for at once. They are good for an hour. */
const ADDRESSES = 16
/**
 * Storage answers so when an address is too old (403), when a part came too slowly (400, 408 of a proxy), while an earlier try still arrives
 * (409), and when something failed in itself.
 */
const PASSING = [400, 403, 408, 409, 500]

interface Begun {
  uploadId: string
  partBytes: number
  /** Bytes that have arrived, by the number of the part. */
  received: ReadonlyMap<number, number>
  /** The file, for an upload that is one already. */
  mediaId?: number | undefined
}

/** Uploads a file in parts, several at a time. @returns the file's id @throws MediaLibraryError, the signal's reason */
export async function uploadInParts(
  calls: Calls,
  source: UploadSource & { name: string },
  options: UploadOptions,
  tries: number,
): Promise<number> {
  const { resume, onBegin, md5, signal: given } = options
  const signal = given && { signal: given }
  const begun = (resume && (await earlier(calls, resume, source.size, given))) || (await begin(calls, source, options))
  if (begun.uploadId !== resume) await onBegin?.(begun.uploadId)
  if (begun.mediaId !== undefined) return begun.mediaId
  await sendMissing(calls, source, begun, options, tries)
  const params = { path: { uploadId: begun.uploadId } }
  for (let tried = 1; ; tried++) {
    try {
      return (await calls.post('/upload/multipart/{uploadId}/complete', { params, body: md5 ? { md5 } : {}, ...signal })).media_id
    } catch (error) {
      // An earlier try of a part may still arrive, though its connection is gone.
      if (!(error instanceof MediaLibraryError && error.code === 'part_in_flight') || tried === tries) throw error
      await pause(tried, 1, given)
    }
  }
}

async function begin(calls: Calls, { name, size }: UploadSource & { name: string }, options: UploadOptions): Promise<Begun> {
  const { folder, md5, signal } = options
  const body = { folder, filename: name, bytes: size, ...(md5 && { md5 }) }
  const begun = await calls.post('/upload/multipart', { body, ...(signal && { signal }) })
  return { uploadId: begun.upload_id, partBytes: begun.part_bytes, received: new Map() }
}

/** @returns undefined where the upload is of other bytes, was given up, or is too old */
async function earlier(calls: Calls, uploadId: string, bytes: number, signal: AbortSignal | undefined): Promise<Begun | undefined> {
  try {
    const found = await calls.get('/upload/multipart/{uploadId}', { params: { path: { uploadId } }, ...(signal && { signal }) })
    if (found.state === 'aborted' || found.bytes !== bytes) return undefined
    const received = new Map(found.received.map((part) => [part.part, part.bytes]))
    return { uploadId, partBytes: found.part_bytes, received, mediaId: found.media_id }
  } catch (error) {
    if (error instanceof MediaLibraryError && (error.status === 404 || error.status === 410)) return undefined
    throw error
  }
}

async function sendMissing(
  calls: Calls,
  source: UploadSource,
  { uploadId, partBytes, received }: Begun,
  { onProgress, signal, through, inTurn = (send) => send() }: UploadOptions,
  tries: number,
): Promise<void> {
  const count = Math.max(1, Math.ceil(source.size / partBytes))
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((part) => !received.has(part))
  const arrived = new Map(received)
  let sum = [...arrived.values()].reduce((all, bytes) => all + bytes, 0)
  const tell = (part: number, bytes: number) => {
    sum += bytes - (arrived.get(part) ?? 0)
    arrived.set(part, bytes)
    onProgress?.(sum, source.size)
  }
  onProgress?.(sum, source.size)
  // The first part that fails for good ends those beside it.
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const addresses = new Addresses(calls, uploadId, missing, stop)
  await inParallel(missing, PARALLEL, async (part) => {
    try {
      await inTurn(async () => {
        stop.throwIfAborted()
        const body = await source.slice((part - 1) * partBytes, Math.min(part * partBytes, source.size))
        const onPart = (bytes: number) => tell(part, bytes)
        const next = async () => ({
          method: 'PUT' as const,
          ...(await addresses.of(part)),
          body,
          signal: stop,
          onProgress: onPart,
          through,
        })
        await sendUntilTaken(next, { tries, passes: PASSING })
        onPart(body instanceof Blob ? body.size : body.length)
      })
    } catch (failure) {
      failed.abort(failure)
      throw failure
    }
  })
}

interface Address {
  url: string
  headers: Record<string, string>
}

/** Addresses of parts, asked for some at a time. */
class Addresses {
  readonly #calls: Calls
  readonly #uploadId: string
  readonly #parts: readonly number[]
  readonly #signal: AbortSignal
  readonly #asked = new Map<number, Promise<ReadonlyMap<number, Address>>>()

  constructor(calls: Calls, uploadId: string, parts: readonly number[], signal: AbortSignal) {
    this.#calls = calls
    this.#uploadId = uploadId
    this.#parts = parts
    this.#signal = signal
  }

  /** An address for one try: the next try gets a new one. @throws MediaLibraryError */
  async of(part: number): Promise<Address> {
    if (!this.#asked.has(part)) {
      const first = this.#parts.indexOf(part)
      const wanted = this.#parts.slice(first, first + ADDRESSES).filter((each) => !this.#asked.has(each))
      const answer = this.#ask(wanted)
      for (const each of wanted) this.#asked.set(each, answer)
    }
    try {
      return (await this.#asked.get(part)!).get(part)!
    } finally {
      this.#asked.delete(part)
    }
  }

  async #ask(parts: number[]): Promise<Map<number, Address>> {
    const params = { path: { uploadId: this.#uploadId } }
    const { urls } = await this.#calls.post('/upload/multipart/{uploadId}/parts', { params, body: { parts }, signal: this.#signal })
    return new Map(urls.map(({ part, url, headers }) => [part, { url, headers }]))
  }
}
