import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient, ClientInput } from '../../shared/http/declaration/client.ts'
import type { Endpoint } from '../../shared/http/declaration/endpoint.ts'
import type { Accounts } from './accounts.ts'
import { images, mp4 } from './pictures/index.ts'
import type { Service } from './service.ts'
import { uploadAndImport } from './uploading.ts'

type Client = ApiClient<typeof endpoints>

/** What inputs of `successes` refer to. */
export interface World extends Files {
  service: Service
  client: Client
  accounts: Accounts
}

/** A folder with an imported image and two imported videos in it, and one without. */
export interface Files {
  folder: number
  media: number
  video: number
  /** A video whose record says that its stream is available. No file of it is there, so nothing else is done with it. */
  streamed: number
  other: number
}

export async function makeFiles(client: Client): Promise<Files> {
  const create = async (name: string) => (await client['create-folder']({ body: { name, parent: null } })).body.id
  const [folder, other] = [await create('Folder'), await create('Other')]
  const file = async (bytes: Uint8Array, name: string) => Number((await uploadAndImport(client, folder, bytes, name)).id)
  const media = await file(await images['plain.jpg'](), 'plain.jpg')
  const [video, streamed] = [await file(mp4(['vide']), 'film.mp4'), await file(mp4(['vide']), 'film.mp4')]
  return { folder, other, media, video, streamed }
}

/**
 * Who calls an endpoint with success: nobody in particular, a user, or an application that resets passwords.
 * @param input that of the call, which may bring a session of its own
 */
export function callerOf({ access }: Endpoint, { init }: Pick<ClientInput<Endpoint>, 'init'> = {}): 'nobody' | 'user' | 'resetter' {
  if (init?.headers && 'cookie' in init.headers) return 'nobody'
  if (access === 'anyone' || access === 'session' || access === 'share link') return 'nobody'
  return access === 'password reset application' ? 'resetter' : 'user'
}
