import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { MediaLibraryError } from '../client/client.ts'
import { pause } from '../client/retries.ts'
import { exitCodes, Failure } from './exit-code.ts'
import type { Rate } from './rate.ts'

/** Attempts of an interrupted download. */
const TRIES = 12

/** How bytes are fetched. */
export interface Fetching {
  signal: AbortSignal
  rate?: Rate | undefined
  onBytes(count: number): void
}

/** Tries a download until it succeeds, or fails for a reason that doesn't pass. @throws the signal's reason */
export async function untilFetched(download: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await download()
    } catch (error) {
      signal.throwIfAborted()
      if (tried === TRIES || !passes(error)) throw error
      await pause(tried, 0, signal)
    }
  }
}

/** Whether a failure is temporary: of the network or busy storage, not of the disk. */
function passes(error: unknown): boolean {
  if (error instanceof MediaLibraryError) return error.status === 0 || /^(download|preview)_pending$/.test(error.code)
  return !((error as NodeJS.ErrnoException).code ?? '').match(/^E(NOSPC|DQUOT|ACCES|PERM|ISDIR|NOTDIR|NOENT|ROFS|NAMETOOLONG|IO|PIPE)$/)
}

/** Appends to a file what it lacks of what an address has. */
export async function fetchRest(url: string, path: string, fetching: Fetching): Promise<void> {
  const begun = (await stat(path).catch(() => undefined))?.size ?? 0
  const rest = await restOf(url, begun, fetching)
  if (rest === 'changed') {
    await rm(path, { force: true })
    throw new Failure(exitCodes.someFailed, 'The file has changed.')
  }
  if (rest) await pipeline(rest.bytes, createWriteStream(path, { flags: rest.from > 0 ? 'a' : 'w' }), { signal: fetching.signal })
}

/**
 * Asks for what follows some bytes.
 * @returns the bytes, and where they begin: an answer may have all of them. Undefined where nothing follows, `changed` where there are fewer
 * @throws MediaLibraryError of status 0 where another try may succeed
 */
export async function restOf(
  url: string,
  begun: number,
  { signal, rate, onBytes }: Fetching,
): Promise<{ from: number; bytes: AsyncIterable<Uint8Array> } | 'changed' | undefined> {
  const response = await fetch(url, { signal, ...(begun > 0 && { headers: { range: `bytes=${begun}-` } }) })
  if (response.status === 416) {
    await response.body?.cancel()
    return response.headers.get('content-range') === `bytes */${begun}` ? undefined : 'changed'
  }
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    const isPassing = response.status === 429 || response.status >= 500
    throw new MediaLibraryError(isPassing ? 0 : response.status, { message: `Storage answers ${response.status}.` })
  }
  const bytes = counted(response.body, onBytes)
  return { from: response.status === 206 ? begun : 0, bytes: rate ? rate.passed(bytes) : bytes }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, onBytes: Fetching['onBytes']): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length)
    yield chunk
  }
}
