import assert from 'node:assert/strict'
import { video } from '../../infra/smoke/videos.ts'
import type { World } from '../support/successes.ts'
import { until } from '../support/until.ts'
import type { Deployment } from './deployment.ts'
import type { Sources } from './event-sources.ts'
import { uploadAndImport } from './uploads.ts'

/** A video with preview and stream, removed, and one that is removed while its preview is made. Jobs of two wait at a time: one wakes the other. */
export async function videos(world: World, { transcoder }: Deployment, sources: Sources): Promise<void> {
  const { client } = world
  const { body: folder } = await client['create-folder']({ body: { name: 'Films' } })
  const film = async () => uploadAndImport({ ...world, folder: folder.id }, sources, Buffer.from(await video()))
  const preview = (id: number) => client['get-sized-download-location']({ params: { id, size: '320px' } })
  const settled = (isThere: () => Promise<boolean>) =>
    until(async () => {
      await sources.settle()
      return isThere()
    })
  const remove = (id: number) => client['remove-media']({ params: { id, folderId: folder.id } })

  const [id, second] = [await film(), await film()]
  await settled(async () => (await preview(id)).status === 200)
  assert.equal((await client['create-stream']({ params: { id } })).status, 200)
  await settled(async () => (await client['get-stream-url']({ params: { id } })).status === 200)
  const body = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHej\n')
  for (const each of [id, second]) {
    assert.equal((await client['put-subtitles']({ params: { id: each, language: 'da' }, body })).status, 200)
  }
  await sources.settle()
  await remove(id)
  await sources.settle()

  transcoder.hold(true)
  const other = await film()
  await sources.settle()
  assert.equal((await preview(other)).status, 409)
  await remove(other)
  await sources.settle()
  transcoder.hold(false)
}
