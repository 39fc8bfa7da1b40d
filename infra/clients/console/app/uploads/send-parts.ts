import type { Schemas } from '../api/client.ts'
import { Refused } from '../api/refused.ts'
import { passes, TRIES, waitBefore } from './try-again.ts'

/** Parts that are sent at a time. */
const PARALLEL = 4
/** URLs that are asked for at once. They are good for an hour. */
const URLS = 16

/** The calls of an upload in parts: of a user, or of somebody who came by a share link. @throws Refused, each */
export interface PartCalls {
  begin(file: File, signal: AbortSignal): Promise<{ upload_id: string; part_bytes: number }>
  state(uploadId: string, signal: AbortSignal): Promise<Schemas['MultipartUploadState']>
  urls(uploadId: string, parts: number[], signal: AbortSignal): Promise<Schemas['PartUrls']>
  complete(uploadId: string, signal: AbortSignal): Promise<{ media_id: number }>
}

export interface PartsOptions {
  /** An upload that was begun earlier. Where it still is, the rest is sent. */
  uploadId: string | undefined
  signal: AbortSignal
  onBegin(uploadId: string): Promise<void>
  /** Is told the bytes that have arrived. */
  onProgress(bytes: number): void
}

interface Begun {
  uploadId: string
  partBytes: number
  /** Bytes that have arrived, by the number of the part. */
  received: ReadonlyMap<number, number>
  /** Of an upload that is whole. */
  mediaId?: number | undefined
}

/**
 * Sends a file in parts, four at a time.
 * @returns the file's id @throws Refused, DOMException (AbortError); what has arrived stays for another try
 */
export async function sendParts(file: File, calls: PartCalls, { uploadId, signal, onBegin, onProgress }: PartsOptions): Promise<number> {
  const begun = (uploadId && (await earlier(calls, uploadId, signal))) || (await begin(file, calls, signal))
  if (begun.uploadId !== uploadId) await onBegin(begun.uploadId)
  if (begun.mediaId !== undefined) return begun.mediaId
  await sendMissing(file, calls, begun, signal, onProgress)
  return (await calls.complete(begun.uploadId, signal)).media_id
}

async function begin(file: File, calls: PartCalls, signal: AbortSignal): Promise<Begun> {
  const begun = await calls.begin(file, signal)
  return { uploadId: begun.upload_id, partBytes: begun.part_bytes, received: new Map() }
}

/** @returns undefined where the upload was given up or is too old */
async function earlier(calls: PartCalls, uploadId: string, signal: AbortSignal): Promise<Begun | undefined> {
  try {
    const found = await calls.state(uploadId, signal)
    if (found.state === 'aborted') return undefined
    const received = new Map(found.received.map(({ part, bytes }) => [part, bytes]))
    return { uploadId, partBytes: found.part_bytes, received, mediaId: found.media_id }
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 410)) return undefined
    throw error
  }
}

async function sendMissing(
  file: File,
  calls: PartCalls,
  { uploadId, partBytes, received }: Begun,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) {
  const count = Math.ceil(file.size / partBytes)
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((part) => !received.has(part))
  const urls = new PartUrls((wanted) => calls.urls(uploadId, wanted, signal), missing)
  const arrived = new Map(received)
  let sum = [...arrived.values()].reduce((all, bytes) => all + bytes, 0)
  const tell = (part: number, bytes: number) => {
    sum += bytes - (arrived.get(part) ?? 0)
    arrived.set(part, bytes)
    onProgress(sum)
  }
  onProgress(sum)
  // The first part that fails for good ends those beside it.
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  const left = missing.values()
  const sendLeft = async () => {
    for (const part of left) {
      const content = file.slice((part - 1) * partBytes, part * partBytes)
      await sendPart(
        content,
        () => urls.of(part),
        stop,
        (bytes) => tell(part, bytes),
      )
    }
  }
  try {
    await Promise.all(Array.from({ length: PARALLEL }, sendLeft))
  } catch (failure) {
    failed.abort()
    throw failure
  }
}

async function sendPart(content: Blob, urlOf: () => Promise<PartUrl>, signal: AbortSignal, onProgress: (bytes: number) => void) {
  for (let tries = 1; ; tries++) {
    try {
      return await put(await urlOf(), content, signal, onProgress)
    } catch (failure) {
      onProgress(0)
      if (signal.aborted || tries === TRIES || !partPasses(failure)) throw failure
      await waitBefore(tries, signal)
    }
  }
}

/** Storage refuses URLs that are too old (403), slow parts (400), and parts of which an earlier try still arrives (409). */
const partPasses = (failure: unknown): boolean =>
  passes(failure) || (failure instanceof Refused && [400, 403, 409].includes(failure.status))

interface PartUrl {
  url: string
  headers: Record<string, string>
}

/** URLs of parts, asked for some at a time. */
class PartUrls {
  readonly #ask: (parts: number[]) => Promise<Schemas['PartUrls']>
  readonly #parts: readonly number[]
  readonly #urls = new Map<number, Promise<ReadonlyMap<number, PartUrl>>>()

  constructor(ask: (parts: number[]) => Promise<Schemas['PartUrls']>, parts: readonly number[]) {
    this.#ask = ask
    this.#parts = parts
  }

  /** A URL for one try: the next try gets a new one. @throws Refused */
  async of(part: number): Promise<PartUrl> {
    if (!this.#urls.has(part)) {
      const first = this.#parts.indexOf(part)
      const wanted = this.#parts.slice(first, first + URLS).filter((each) => !this.#urls.has(each))
      const asked = this.#byPart(wanted)
      for (const each of wanted) this.#urls.set(each, asked)
    }
    const urls = this.#urls.get(part)!
    try {
      return (await urls).get(part)!
    } finally {
      this.#urls.delete(part)
    }
  }

  async #byPart(parts: number[]): Promise<Map<number, PartUrl>> {
    const { urls } = await this.#ask(parts)
    return new Map(urls.map(({ part, url, headers }) => [part, { url, headers }]))
  }
}

function put({ url, headers }: PartUrl, content: Blob, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<void> {
  signal.throwIfAborted()
  // fetch() tells nothing of how far it is.
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request.upload.onprogress = ({ loaded }) => onProgress(loaded)
  request.onload = () => {
    if (request.status !== 200) return reject(new Refused(request.status, {}))
    onProgress(content.size)
    resolve()
  }
  request.onerror = () => reject(new Refused(0, {}))
  request.onabort = () => reject(new DOMException('', 'AbortError'))
  const abort = () => request.abort()
  signal.addEventListener('abort', abort, { once: true })
  request.onloadend = () => signal.removeEventListener('abort', abort)
  request.open('PUT', url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.send(content)
  return promise
}
