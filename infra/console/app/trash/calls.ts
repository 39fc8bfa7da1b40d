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

export const restoreFile = (id: number, trashcan: number, to: number) =>
  dataOf(api.POST('/media/{id}/move', { params: { path: { id } }, body: { from: trashcan, to } }))

export const deleteFolder = (id: number) => dataOf(api.DELETE('/folder/{id}', { params: { path: { id } } }))
