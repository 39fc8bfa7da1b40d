import { api, dataOf } from '../api/client.ts'

/** The query of a film's subtitles: who changes them invalidates its key. */
export const subtitlesQuery = (id: number) => ({
  queryKey: ['subtitles', id],
  queryFn: () => dataOf(api.GET('/media/{id}/subtitles', { params: { path: { id } } })),
})
