import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MediaLibrary, MediaLibraryError, type Schemas } from '../client/client.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { md5Of } from './local-source.ts'

/** Attempts of an interrupted download, and the longest pause between them in milliseconds. */
const TRIES = 12
const LONGEST_PAUSE = 10_000
/** Types of files whose downloads carry the library's metadata. */
const WRITABLE = /^image\/(jpeg|png|tiff)$/

export interface Download {
  id: number
  /** Where the file goes. */
  path: string
  /** Hex; compared only for originals. */
  md5: string
  /** MIME type. */
  type: string
  /** Version of the file: partial downloads of other versions are not continued. */
  version: number
  /** Byte for byte as it was uploaded, in a size, or with the library's metadata. */
  what: 'original' | 'default' | Size
}

export type Size = '110px' | '200px' | '320px' | '480px' | '800px' | '1200px' | '1600px'

/**
 * Downloads a file atomically to its path. Continues an interrupted download by Range.
 * @throws MediaLibraryError, Failure for wrong bytes, the signal's reason
 */
export async function downloadFile(
  library: MediaLibrary,
  download: Download,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<void> {
  const { path, id, version, what } = download
  const unfinished = join(dirname(path), `.${id}-${version}-${what}.part`)
  for (let tried = 1; ; tried++) {
    try {
      const location = await locate(library, download, signal)
      await fetchRest(location.url, unfinished, signal, onBytes)
      if (location.isOriginal && (await md5Of(unfinished)) !== download.md5) {
        await rm(unfinished, { force: true })
        throw new Failure(exitCodes.someFailed, `The bytes of file ${id} arrived damaged.`)
      }
      await rename(unfinished, path)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (tried === TRIES || !passes(error)) throw error
      await sleep(Math.random() * Math.min(LONGEST_PAUSE, 500 * 2 ** tried), undefined, { signal })
    }
  }
}

/** Whether a failure is temporary: of the network or busy storage, not of the disk. */
function passes(error: unknown): boolean {
  if (error instanceof MediaLibraryError) return error.status === 0 || /^(download|preview)_pending$/.test(error.code)
  return !((error as NodeJS.ErrnoException).code ?? '').match(/^E(NOSPC|DQUOT|ACCES|PERM|ISDIR|NOTDIR|NOENT|ROFS|NAMETOOLONG|IO)$/)
}

async function locate(
  library: MediaLibrary,
  { id, what, md5, type }: Download,
  signal: AbortSignal,
): Promise<{ url: string; isOriginal: boolean }> {
  if (what !== 'original' && what !== 'default') {
    const { url } = await library.get('/media/{id}/download_location/{size}', { params: { path: { id, size: what } }, signal })
    return { url, isOriginal: false }
  }
  const query = what === 'original' ? { original: '1' as const } : {}
  const location: Schemas['DownloadLocation'] = await library.get('/media/{id}/download_location', {
    params: { path: { id }, query },
    signal,
  })
  const isWritten = location.metadata_written !== false && WRITABLE.test(type)
  return { url: location.url, isOriginal: md5 !== '' && !isWritten }
}

/** Appends the missing rest of a file. */
async function fetchRest(url: string, path: string, signal: AbortSignal, onBytes: (count: number) => void): Promise<void> {
  const begun = (await stat(path).catch(() => undefined))?.size ?? 0
  const response = await fetch(url, { signal, ...(begun > 0 && { headers: { range: `bytes=${begun}-` } }) })
  // The file is complete, or has other bytes.
  if (response.status === 416) {
    await response.body?.cancel()
    if (response.headers.get('content-range') === `bytes */${begun}`) return
    await rm(path, { force: true })
    throw new Failure(exitCodes.someFailed, 'The file has changed.')
  }
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    const isPassing = response.status === 429 || response.status >= 500
    throw new MediaLibraryError(isPassing ? 0 : response.status, { message: `Storage answers ${response.status}.` })
  }
  const body = Readable.fromWeb(response.body as never)
  body.on('data', (chunk: Uint8Array) => onBytes(chunk.length))
  await pipeline(body, createWriteStream(path, { flags: response.status === 206 ? 'a' : 'w' }), { signal })
}
