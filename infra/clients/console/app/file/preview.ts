import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf } from '../api/client.ts'
import { text } from '../language/language.svelte.ts'

/** The address of a film's preview, which is a film itself. @throws Error while it is being made */
export async function previewOf(id: number): Promise<string> {
  try {
    return (await dataOf(api.GET('/media/{id}/download_location/{size}', { params: { path: { id, size: '1600px' } } }))).url
  } catch (error) {
    throw error instanceof MediaLibraryError && error.code === 'preview_pending' ? new Error(text.previewPending) : error
  }
}
