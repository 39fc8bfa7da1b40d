import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { storeGenericThumbnail, storePage } from '../../../infra/custom-resources/prepare-buckets.ts'
import { playerFiles } from '../../../infra/player/player-files.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'
import { PLAYER_FILES } from '../../../shared/library/videos/objects.ts'

describe('the buckets of a deployment', () => {
  let folder: string
  let objects: ReturnType<typeof openEmbeddedObjects>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'buckets-'))
    objects = openEmbeddedObjects(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('the picture of files without one lies where thumbnail URLs point', async () => {
    await storeGenericThumbnail(objects)
    const picture = await objects.head(GENERIC_THUMBNAIL_KEY)
    assert.equal(picture?.contentType, 'image/png')
    assert.ok(picture.bytes > 100)
  })

  test('the files of the player lie where its host looks, with their labels, the page after what it loads', async () => {
    const files = playerFiles({ cdnUrl: 'https://cdn.example', playerUrl: 'https://player.example', formerCdnUrls: [] })
    const order: string[] = []
    const put: typeof objects.put = (key, ...others) => {
      order.push(key)
      return objects.put(key, ...others)
    }
    await storePage({ put }, PLAYER_FILES, files)
    assert.deepEqual(order.toSorted(), files.map(({ path }) => PLAYER_FILES + path).sort())
    assert.equal(order.at(-1), `${PLAYER_FILES}index.html`)
    for (const { path, body, contentType, cacheControl } of files) {
      const stored = await objects.head(PLAYER_FILES + path)
      assert.deepEqual([stored?.bytes, stored?.contentType, stored?.cacheControl], [Buffer.byteLength(body), contentType, cacheControl])
    }
  })
})
