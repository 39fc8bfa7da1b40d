import { api, dataOf } from '../api/client.ts'
import { personNamed } from './facts.ts'

/** Who changed a file last, as far as the user may know it, and when. */
export interface LastChange {
  name: string
  /** ISO time. */
  time: string
}

/** Events that are looked through, and folders that one request names. */
const LOOKED_AT = 200
const MOST_FOLDERS = 50

/** Reads who made a version of a file. @param folders that hold it */
export async function changeOf(id: number, version: number, folders: readonly number[]): Promise<LastChange | undefined> {
  const { events } = await dataOf(
    api.GET('/event', {
      params: {
        query: {
          types: ['media.updated', 'media.replaced'],
          folder_ids: folders.slice(0, MOST_FOLDERS),
          order: 'newest',
          limit: LOOKED_AT,
        },
      },
    }),
  )
  const event = events.find(({ data }) => data.media_id === id && data.version === version)
  if (!event) return undefined
  const { user_id: user } = event.actor
  return { name: user === undefined ? '' : await personNamed(user), time: event.created }
}
