import type { operations } from '../../../dist/api.d.ts'
import { type CallOptions, type Calls, callsOf } from './calls.ts'
import { type EventOptions, eventsOf } from './events.ts'
import { PATIENT_TRIES } from './retries.ts'
import type { Schemas } from './schemas.ts'
import { untilDone } from './until-done.ts'
import { upload } from './upload.ts'
import type { UploadOptions, UploadSource } from './upload-source.ts'

/** Parameters of a search. */
export type SearchParameters = NonNullable<operations['search-media']['parameters']['query']>

/** Files that one request of a search asks for. */
const PAGE = 1_000
/** Pages that are asked for at a time, once the first one was not enough. */
const AHEAD = 3

/** A media library, as somebody who is signed in. Every call throws `MediaLibraryError` when the service refuses it. */
export class MediaLibrary implements Calls {
  readonly get: Calls['get']
  readonly post: Calls['post']
  readonly put: Calls['put']
  readonly delete: Calls['delete']
  /** The token of the user; undefined with a session of the page. `withToken` takes it, until the user signs out. */
  readonly token: string | undefined
  readonly #uploading: { calls: Calls; tries: number }

  constructor(options: CallOptions & { token?: string | undefined }) {
    const { get, post, put, delete: remove } = callsOf(options)
    this.get = get
    this.post = post
    this.put = put
    this.delete = remove
    this.token = options.token
    const tries = options.tries ?? PATIENT_TRIES
    this.#uploading = { calls: callsOf({ ...options, tries }), tries }
  }

  /** Ends the token, or the session of the page. */
  async signOut(): Promise<void> {
    await this.delete('/session')
  }

  /**
   * Uploads a file: by a form, from 64 MiB on in parts.
   * @returns the file's id; `waitUntilAvailable` tells when its import has ended
   */
  upload(source: Blob | UploadSource, options: UploadOptions): Promise<number> {
    const name = options.filename ?? (source as { name?: string }).name
    if (!name) throw new TypeError('An upload needs a filename.')
    const named = { name, size: source.size, slice: (from: number, to: number) => source.slice(from, to) }
    return upload(this.#uploading.calls, named, options, this.#uploading.tries)
  }

  /** Waits until a file is imported. @param onProgress is told the percent of the import @returns its document */
  async waitUntilAvailable(
    id: number,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (percent: number) => void } = {},
  ): Promise<Schemas['Media']> {
    return untilDone(async () => {
      const media = await this.get('/media/{id}', { params: { path: { id } }, ...(signal && { signal }) })
      if (media.status === 'available') return media
      onProgress?.(media.progress)
      return undefined
    }, signal)
  }

  /**
   * The events of the company, each once and in order, for as long as the caller goes on. It waits while nothing happens.
   * @param cursor of an earlier `onCursor`; `now` begins here; without one the oldest event that is kept comes first
   * @throws MediaLibraryError 410 `cursor_expired`, the signal's reason
   */
  events(cursor?: string, options: EventOptions = {}): AsyncGenerator<Schemas['Event']> {
    return eventsOf(this, cursor, options)
  }

  /**
   * All files that a search finds, each once, page by page. Without an order the oldest come first, so that files that are added meanwhile
   * come last.
   */
  async *searchAll(
    query: Omit<SearchParameters, 'media_count' | 'media_offset'>,
    { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<Schemas['FoundMedia'] & { unique_media_id: number }> {
    const returned = new Set([...query.return_values, 'unique_media_id' as const])
    const order = query.order ? {} : { order: 'created' as const, direction: 'asc' as const }
    const yielded = new Set<number>()
    const ask = (offset: number) => {
      const page = { ...query, ...order, return_values: [...returned], media_count: PAGE, media_offset: offset }
      const answer = this.get('/search', { params: { query: page }, ...(signal && { signal }) })
      // Nobody waits for pages ahead when the caller stops.
      answer.catch(() => undefined)
      return answer
    }
    const asked = [ask(0)]
    for (let next = PAGE; ; ) {
      const page = asked.shift()
      if (!page) return
      const { response } = await page
      for (const file of response.media) {
        const { unique_media_id: id } = file
        if (id === undefined || yielded.has(id)) continue
        yielded.add(id)
        yield { ...file, unique_media_id: id }
      }
      for (; asked.length < AHEAD && next < response.hits; next += PAGE) asked.push(ask(next))
    }
  }
}
