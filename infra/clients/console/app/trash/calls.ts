import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf } from '../api/client.ts'
import { childrenOf } from '../folders/calls.ts'

/** The user's trashcans, one in each of their companies. */
export async function trashcans(): Promise<number[]> {
  const folders = await childrenOf(undefined)
  return folders.filter(({ permissions }) => permissions.groups.includes('TRASH')).map(({ id }) => id)
}

/** Deletes a file in the trash for good. */
export const deleteFile = (id: number, trashcan: number) =>
  dataOf(api.DELETE('/media/{id}/folder/{folderId}', { params: { path: { id, folderId: trashcan } } }))

/** Puts a file back to where it was. @param folder where to instead @throws MediaLibraryError `origin_gone` where that is gone and none is named */
export const restoreFile = (id: number, trashcan: number, folder?: number) =>
  dataOf(api.POST('/media/{id}/restore', { params: { path: { id } }, body: { from: trashcan, ...(folder !== undefined && { folder }) } }))

/** Puts a folder back to where it was. @param parent where to instead, null for the top @throws MediaLibraryError `origin_gone` */
export const restoreFolder = (id: number, parent?: number | null) =>
  dataOf(api.POST('/folder/{id}/restore', { params: { path: { id } }, body: parent === undefined ? {} : { parent } }))

/** Whether the place where something was can't have it back. */
export const isOriginGone = (error: unknown): boolean => error instanceof MediaLibraryError && error.code === 'origin_gone'

export const deleteFolder = (id: number) => dataOf(api.DELETE('/folder/{id}', { params: { path: { id } } }))
