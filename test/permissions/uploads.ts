import assert from 'node:assert/strict'
import type { World } from '../support/successes.ts'
import { postForm } from '../support/uploading.ts'
import type { Sources } from './event-sources.ts'

export type Uploading = Pick<World, 'service' | 'client' | 'folder'>

/** @returns the file's id */
export async function uploadAndImport({ service, client, folder }: Uploading, sources: Sources, bytes: Uint8Array): Promise<number> {
  const media = await upload({ service, client, folder }, bytes, 'picture')
  await sources.settle()
  assert.equal((await client['get-media']({ params: { id: media } })).status, 200)
  return media
}

/** Registers, posts and finalizes a file. @returns its id */
export async function upload({ service, client, folder }: Uploading, bytes: Uint8Array, filename: string): Promise<number> {
  const registered = await client['register-upload']({ body: { folder } })
  return finalize(service, await postForm(registered.body, bytes, filename))
}

/** Finalizes a file that was posted. @returns its id */
export async function finalize(service: World['service'], posted: Response): Promise<number> {
  assert.equal(posted.status, 303, await posted.text())
  // The redirect goes to the API under the name that the gateway knows it by, which is none of this machine.
  const [, path = ''] = /(\/upload\/finalize\/.*)$/.exec(posted.headers.get('location')!) ?? []
  const finalized = await service.request(path)
  assert.equal(finalized.status, 200)
  return ((await finalized.json()) as { media_id: number }).media_id
}
