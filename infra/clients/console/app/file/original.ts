import { api, dataOf } from '../api/client.ts'

/** Pictures that browsers draw. All others are shown by their rendition. */
const DRAWN = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/bmp'])

export const isDrawn = (mime: string): boolean => DRAWN.has(mime)

/**
 * The address of a file as it was uploaded, to show it. Its bytes leave the library, so the log of downloads has it: it says that it was
 * looked at.
 */
export async function addressToShow(id: number): Promise<string> {
  const query = { original: '1', download_info: JSON.stringify({ purpose: 'view' }) } as const
  return (await dataOf(api.GET('/media/{id}/download_location', { params: { path: { id }, query } }))).url
}

/** The bytes of a file. @throws Error where they can't be had */
export async function bytesToShow(id: number, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(await addressToShow(id), { signal })
  if (!response.ok) throw new Error(`${response.status}`)
  return response.blob()
}
