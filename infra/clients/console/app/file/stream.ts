import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf } from '../api/client.ts'
import { untilDone } from '../api/polling.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'

/** The address of a film's stream; undefined where there is none yet, or none could be made. */
export const streamOf = (id: number): Promise<string | undefined> => read(id, 'stream_not_found', 'stream_failed')

/** Asks for a stream, and tells when it is there, or could not be made. */
export async function requestStream(id: number): Promise<void> {
  const known = await streamOf(id)
  if (known) return tellReady(known)
  await dataOf(api.POST('/media/{id}/stream', { params: { path: { id } } }))
  notices.tell(text.streamBegun)
  try {
    tellReady(await untilDone(() => read(id, 'stream_not_found')))
  } catch (error) {
    if (!(error instanceof MediaLibraryError && error.code === 'stream_failed')) throw error
    notices.tell(text.streamFailed, {
      label: text.tryAgain,
      run: () => void requestStream(id).catch((failure) => notices.fail(failure)),
    })
  }
}

/** @param absent codes of refusals that say that there is none */
async function read(id: number, ...absent: readonly string[]): Promise<string | undefined> {
  try {
    return (await dataOf(api.GET('/media/{id}/metadata/stream_url', { params: { path: { id } } }))).Stream
  } catch (error) {
    if (error instanceof MediaLibraryError && absent.includes(error.code)) return undefined
    throw error
  }
}

function tellReady(url: string): void {
  notices.tell(text.streamReady, { label: text.copyAddress, run: () => void navigator.clipboard.writeText(url) })
}
