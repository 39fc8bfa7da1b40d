import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { empty, furnish } from '../../../infra/deployment/prepare-buckets.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'

suite('the buckets of a deployment', () => {
  let folder: string
  let objects: ReturnType<typeof openEmbeddedObjects>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'buckets-'))
    objects = openEmbeddedObjects(folder)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('the picture of files without one lies where thumbnail URLs point', async () => {
    await furnish(objects)
    const picture = await objects.head(GENERIC_THUMBNAIL_KEY)
    assert.equal(picture?.contentType, 'image/png')
    assert.ok(picture.bytes > 100)
  })

  test('a bucket is emptied whole, however many pages of objects it has', async () => {
    const paged = { list: () => objects.list('', { limit: 2 }), delete: (keys: readonly string[]) => objects.delete(keys) }
    for (let n = 0; n < 5; n++) await objects.put(`a/${n}`, Buffer.from('x'), { contentType: 'text/plain' })
    await empty(paged)
    assert.deepEqual((await objects.list('')).objects, [])
  })
})
