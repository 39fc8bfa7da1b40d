import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MediaLibrary, Schemas } from '../client/client.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { type Fetching, fetchRest, untilFetched } from './fetch-rest.ts'
import { md5Of } from './local-source.ts'

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
  /** Byte for byte as it was uploaded, in a size, with the library's metadata, or one of its versions. */
  what: 'original' | 'default' | Size | Numbered
}

/** A version of the file, byte for byte. */
type Numbered = `file${number}`

export type Size = '110px' | '200px' | '320px' | '480px' | '800px' | '1200px' | '1600px'

/**
 * Downloads a file atomically to its path. Continues an interrupted download by Range.
 * @throws MediaLibraryError, Failure for wrong bytes, the signal's reason
 */
export async function downloadFile(library: MediaLibrary, download: Download, fetching: Fetching): Promise<void> {
  const { path, id, version, what } = download
  const unfinished = join(dirname(path), `.${id}-${version}-${what}.part`)
  await untilFetched(async () => {
    const location = await locate(library, download, fetching.signal)
    await fetchRest(location.url, unfinished, fetching)
    if (location.isOriginal && (await md5Of(unfinished)) !== download.md5) {
      await rm(unfinished, { force: true })
      throw new Failure(exitCodes.someFailed, `The bytes of file ${id} arrived damaged.`)
    }
    await rename(unfinished, path)
  }, fetching.signal)
}

async function locate(
  library: MediaLibrary,
  { id, what, md5, type }: Download,
  signal: AbortSignal,
): Promise<{ url: string; isOriginal: boolean }> {
  if (isNumbered(what)) {
    const path = { id, number: Number(what.slice('file'.length)) }
    const { url } = await library.get('/media/{id}/files/{number}/download_location', { params: { path }, signal })
    return { url, isOriginal: true }
  }
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

const isNumbered = (what: Download['what']): what is Numbered => what.startsWith('file')
