import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { type Clique, listCliques } from '../admin/calls.ts'
import { api, dataOf } from '../api/client.ts'

export const rightNames = ['READ', 'WRITE', 'UPLOAD', 'ADMIN'] as const
export type Right = (typeof rightNames)[number]

/** The cliques that the user may know: all for admins of the company, none for others. */
export const knownCliques = (): Promise<Clique[]> =>
  listCliques().catch((error) => {
    if (error instanceof MediaLibraryError && error.status === 403) return []
    throw error
  })

/** What a clique has on a folder itself; nothing of what it inherits. */
export async function cliqueRights(clique: number, folder: number): Promise<Right[]> {
  const shares = await dataOf(api.GET('/clique/{id}/folder', { params: { path: { id: clique } } }))
  return shares.find(({ folder_id }) => folder_id === folder)?.permissions ?? []
}

const params = (id: number, folderId: number) => ({ params: { path: { id, folderId } } })

/** Gives a clique READ or WRITE on a folder, and UPLOAD besides; no rights end the share. */
export const shareWithClique = (clique: number, folder: number, rights: readonly Right[]): Promise<unknown> =>
  dataOf<unknown>(
    rights.length === 0
      ? api.DELETE('/clique/{id}/folder/{folderId}', params(clique, folder))
      : api.POST('/clique/{id}/folder/{folderId}', {
          ...params(clique, folder),
          body: { access: rights.includes('WRITE') ? 'WRITE' : 'READ', upload: rights.includes('UPLOAD') },
        }),
  )

/** Grants a person rights on a folder; no rights take the grant away. */
export const grantPerson = (userId: number, id: number, rights: readonly Right[]): Promise<unknown> =>
  dataOf(api.POST('/folder/{id}/access/{userId}', { params: { path: { id, userId } }, body: { flags: [...rights] } }))
