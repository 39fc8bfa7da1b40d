import type { MediaLibrary, Schemas } from '../client/client.ts'
import { untilDone } from '../client/until-done.ts'

export type Version = Schemas['MediaFile']

/** The current version of a file, once no other one is being imported. It is among the newest: later ones failed. @returns undefined where it isn't */
export function currentVersion(library: MediaLibrary, id: number, signal: AbortSignal): Promise<Version | undefined> {
  return untilDone(async () => {
    const { files } = await library.get('/media/{id}/files', { params: { path: { id }, query: { limit: 100 } }, signal })
    if (files.some(({ state }) => state === 'importing')) return undefined
    return { current: files.find(({ current }) => current) }
  }, signal).then(({ current }) => current)
}
