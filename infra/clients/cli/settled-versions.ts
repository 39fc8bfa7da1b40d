import { type MediaLibrary, MediaLibraryError, type Schemas } from '../client/client.ts'
import { untilDone } from '../client/until-done.ts'

export type Version = Schemas['MediaFile']

/** The newest versions of a file, once nothing of it is being imported. */
export function settledVersions(library: MediaLibrary, id: number, signal: AbortSignal): Promise<Version[]> {
  return untilDone(async () => {
    try {
      const { files } = await library.get('/media/{id}/files', { params: { path: { id }, query: { limit: 100 } }, signal })
      return files.some(({ state }) => state === 'importing') ? undefined : files
    } catch (error) {
      if (error instanceof MediaLibraryError && error.code === 'importing') return undefined
      throw error
    }
  }, signal)
}
