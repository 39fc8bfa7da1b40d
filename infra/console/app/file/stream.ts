import { api, dataOf, Refused } from '../api/client.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'

/** How often the service is asked whether a stream is there, in milliseconds. */
const POLL = 2_000

/** The address of a film's stream; undefined where there is none yet. */
export async function streamOf(id: number): Promise<string | undefined> {
  try {
    return (await dataOf(api.GET('/media/{id}/metadata/stream_url', { params: { path: { id } } }))).Stream
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Asks for a stream, and tells when it is there. */
export async function requestStream(id: number): Promise<void> {
  const copy = (url: string) => ({ label: text.copyAddress, run: () => void navigator.clipboard.writeText(url) })
  const known = await streamOf(id)
  if (known) return notices.tell(text.streamReady, copy(known))
  await dataOf(api.POST('/media/{id}/stream', { params: { path: { id } } }))
  notices.tell(text.streamBegun)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL))
    const url = await streamOf(id)
    if (url) return notices.tell(text.streamReady, copy(url))
  }
}
