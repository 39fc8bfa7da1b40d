import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { storeGenericThumbnail } from '../../../infra/custom-resources/prepare-buckets.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'

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
})
