import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { SignedDelivery } from '../../../shared/backends/edge/port.ts'
import { findPreview, previewDownloadUrl, previewUrl } from '../../../shared/library/downloads/download.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import { available } from '../../../shared/library/media/find.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { changeVideo } from '../../../shared/library/videos/video.ts'
import type { putMedia } from '../../support/media.ts'
import { setUpStreams } from '../encodings/set-up-streams.ts'

/** A video, as requests for its preview find it. */
async function setUp(given: Partial<Parameters<typeof putMedia>[1]> = {}) {
  const world = await setUpStreams()
  const media = available(await world.put(given))
  const becomes = async (state: 'encoding' | 'available' | 'failed') => {
    const video = await world.video()
    return changeVideo(world.library, video, { preview: { ...video.preview, state } })
  }
  return { ...world, media, becomes, find: () => findPreview(world.library, media) }
}

test('a preview is asked for where an earlier version imported the video, and pending until it is made', async () => {
  const { find, becomes, media, video } = await setUp()
  const pending = { name: Conflict.name, code: 'preview_pending', retryAfter: 5 }
  await assert.rejects(find, pending)
  const { preview } = await video()
  await becomes('encoding')
  await assert.rejects(find, pending)
  await becomes('available')
  assert.equal(await find(), videoObjects.preview(media, preview.encodingId))
})

test('there is none where none could be made, and of what is no video', async () => {
  const { find, becomes } = await setUp()
  await assert.rejects(find, Conflict)
  await becomes('failed')
  assert.equal(await find(), undefined)
  const image = await setUp({ kind: 'image' })
  assert.equal(await image.find(), undefined)
  assert.equal(await image.video(), undefined, 'nothing is asked for')
})

test('it is downloaded under a name of its own for five minutes, and shown for a day', async () => {
  const { library, media } = await setUp({ filename: 'Håfen.final.mov' })
  const signed: SignedDelivery[] = []
  const urls = { sign: async (key: string, delivery: SignedDelivery) => `${key} ${signed.push(delivery)}` }
  await previewDownloadUrl({ ...library, urls }, media, 'key')
  await previewUrl({ ...library, urls }, media, 'key')
  const names = `filename="Hafen.final_preview.mp4"; filename*=UTF-8''H%C3%A5fen.final_preview.mp4`
  const now = library.clock.now()
  assert.deepEqual(signed, [
    { expires: now + 300_000, disposition: `attachment; ${names}`, contentType: 'video/mp4' },
    { expires: now + 86_400_000, disposition: `inline; ${names}`, contentType: 'video/mp4' },
  ])
})
