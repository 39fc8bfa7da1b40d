import assert from 'node:assert/strict'
import { test } from 'vitest'
import { findPreview } from '../../../shared/library/downloads/download.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import { available } from '../../../shared/library/media/find.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { changeVideo } from '../../../shared/library/videos/video.ts'
import type { putMedia } from '../../support/media.ts'
import { setUpStreams } from '../videos/set-up-streams.ts'

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

test('a preview is asked for where none is made yet, and pending until it is there', async () => {
  const { find, becomes, media, video } = await setUp()
  const pending = { name: Conflict.name, code: 'preview_pending', retryAfter: 5 }
  await assert.rejects(find, pending)
  const { preview } = await video()
  await becomes('encoding')
  await assert.rejects(find, pending)
  await becomes('available')
  assert.equal(await find(), videoObjects.preview(media, preview.encodingId))
})
