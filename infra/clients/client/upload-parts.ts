import { inParallel } from '../../../shared/parallel.ts'
import type { Calls } from './calls.ts'
import { MediaLibraryError } from './media-library-error.ts'
import { pause } from './retries.ts'
import type { Schemas } from './schemas.ts'
import { sendUntilTaken } from './send.ts'
import type { SendingOptions, UploadSource, UploadTarget } from './upload-source.ts'

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

/** The service's calls of an upload in parts: of a user, or of somebody who came by a share link. @throws MediaLibraryError, each */
export interface PartCalls {
  begin(file: { filename: string; bytes: number; md5?: string }, signal?: AbortSignal): Promise<{ upload_id: string; part_bytes: number }>
  state(uploadId: string, signal?: AbortSignal): Promise<Schemas['MultipartUploadState']>
  urls(uploadId: string, parts: number[], signal: AbortSignal): Promise<Schemas['PartUrls']>
  complete(uploadId: string, body: { md5?: string }, signal?: AbortSignal): Promise<{ media_id: number; unchanged?: boolean }>
}

/** The calls of a user who uploads to a folder, or replaces a file. */
export function partCallsTo(target: UploadTarget, calls: Pick<Calls, 'get' | 'post'>): PartCalls {
  const path = (uploadId: string) => ({ path: { uploadId } })
  return {
    begin: (file, signal) => calls.post('/upload/multipart', { body: { ...target, ...file }, signal: signal ?? null }),
    state: (uploadId, signal) => calls.get('/upload/multipart/{uploadId}', { params: path(uploadId), signal: signal ?? null }),
    urls: (uploadId, parts, signal) =>
      calls.post('/upload/multipart/{uploadId}/parts', { params: path(uploadId), body: { parts }, signal }),
    complete: (uploadId, body, signal) =>
      calls.post('/upload/multipart/{uploadId}/complete', { params: path(uploadId), body, signal: signal ?? null }),
  }
}

/** Uploads a file in parts, several at a time. @returns the file's id @throws MediaLibraryError, the signal's reason */
export async function uploadInParts(
  calls: PartCalls,
  source: UploadSource & { name: string },
  options: SendingOptions,
  tries: number,
): Promise<number> {
  const { resume, onBegin, onUnchanged, signal } = options
  const md5 = options.md5 ? { md5: options.md5 } : {}
  const begun = (resume && (await earlier(calls, resume, source.size, signal))) || (await begin(calls, source, md5, signal))
  if (begun.uploadId !== resume) await onBegin?.(begun.uploadId)
  if (begun.mediaId !== undefined) return begun.mediaId
  await sendMissing(calls, source, begun, options, tries)
  for (let tried = 1; ; tried++) {
    try {
      const { media_id, unchanged } = await calls.complete(begun.uploadId, md5, signal)
      if (unchanged) onUnchanged?.()
      return media_id
    } catch (error) {
      // An earlier try of a part may still arrive, though its connection is gone.
      if (!(error instanceof MediaLibraryError && error.code === 'part_in_flight') || tried === tries) throw error
      await pause(tried, 1, signal)
    }
  }
}

async function begin(
  calls: PartCalls,
  { name, size }: UploadSource & { name: string },
  md5: { md5?: string },
  signal: AbortSignal | undefined,
): Promise<Begun> {
  const begun = await calls.begin({ filename: name, bytes: size, ...md5 }, signal)
  return { uploadId: begun.upload_id, partBytes: begun.part_bytes, received: new Map() }
}

/** @returns undefined where the upload is of other bytes, was given up, or is too old */
async function earlier(calls: PartCalls, uploadId: string, bytes: number, signal: AbortSignal | undefined): Promise<Begun | undefined> {
  try {
    const found = await calls.state(uploadId, signal)
    if (found.state === 'aborted' || found.bytes !== bytes) return undefined
    const received = new Map(found.received.map((part) => [part.part, part.bytes]))
    return { uploadId, partBytes: found.part_bytes, received, mediaId: found.media_id }
  } catch (error) {
    if (error instanceof MediaLibraryError && (error.status === 404 || error.status === 410)) return undefined
    throw error
  }
}

async function sendMissing(
  calls: PartCalls,
  source: UploadSource,
  { uploadId, partBytes, received }: Begun,
  { onProgress, signal, through, inTurn = (send) => send() }: SendingOptions,
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
  const addresses = new Addresses((parts) => calls.urls(uploadId, parts, stop), missing)
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
  readonly #ask: (parts: number[]) => Promise<Schemas['PartUrls']>
  readonly #parts: readonly number[]
  readonly #asked = new Map<number, Promise<ReadonlyMap<number, Address>>>()

  constructor(ask: (parts: number[]) => Promise<Schemas['PartUrls']>, parts: readonly number[]) {
    this.#ask = ask
    this.#parts = parts
  }

  /** An address for one try: the next try gets a new one. @throws MediaLibraryError */
  async of(part: number): Promise<Address> {
    if (!this.#asked.has(part)) {
      const first = this.#parts.indexOf(part)
      const wanted = this.#parts.slice(first, first + ADDRESSES).filter((each) => !this.#asked.has(each))
      const answer = this.#ask(wanted).then(({ urls }) => new Map(urls.map((each) => [each.part, each])))
      for (const each of wanted) this.#asked.set(each, answer)
    }
    try {
      return (await this.#asked.get(part)!).get(part)!
    } finally {
      this.#asked.delete(part)
    }
  }
}
