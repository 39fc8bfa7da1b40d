import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { replacementCreation, replacementEnd } from '../../../shared/library/media/files.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { sweepUploads } from '../../../shared/library/uploads/sweep.ts'
import { finalizeUpload, registerUpload, uploadKey } from '../../../shared/library/uploads/uploads.ts'
import { toCompanyId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const never = () => false

async function setUp() {
  const { table, clock } = openTestTable()
  const uploads = openTestObjects(clock)
  const library = { table, clock, by }
  const { admin } = await openTestCompany(library)
  const { folderId } = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null })
  const post = (key: string) => uploads.put(key, Buffer.from(key), { contentType: 'binary/octet-stream' })
  return {
    ...{ table, uploads, clock, post },
    register: () => registerUpload(requestOf(library, admin), { folderId }, {}),
    finalize: (uploadId: string, key?: string) =>
      finalizeUpload({ table, uploads, clock, requestId: 'test', sourceAddress: '192.0.2.1' }, uploadId, key),
    /** As an import does it. */
    finishImport: async (mediaId: number, key: string) => {
      await table.update(mediaKey(toMediaId(mediaId)), { set: { state: 'available' } })
      await uploads.delete([key])
    },
    sweep: (outOfTime = never) => sweepUploads({ table, uploads, clock }, outOfTime),
    left: async () => (await uploads.list('')).objects.map(({ key }) => key),
  }
}

describe('the sweep of posted files', () => {
  test('removes what was posted again after the import, under the same name or another', async () => {
    const { register, post, finalize, finishImport, sweep, left } = await setUp()
    const { uploadId, keyPrefix } = await register()
    await post(`${keyPrefix}a.jpg`)
    await finishImport(await finalize(uploadId), `${keyPrefix}a.jpg`)
    await post(`${keyPrefix}a.jpg`)
    await post(`${keyPrefix}b.jpg`)
    await sweep()
    assert.deepEqual(await left(), [])
    await sweep()
  })

  test('keeps what waits for its import, however long, and removes what was posted beside it', async () => {
    const { register, post, finalize, sweep, left, clock, table } = await setUp()
    const { uploadId, keyPrefix } = await register()
    await post(`${keyPrefix}a.jpg`)
    await post(`${keyPrefix}b.jpg`)
    await finalize(uploadId, `${keyPrefix}b.jpg`)
    for (const days of [0, 3, 12, 30, 300]) {
      clock.advance(days * DAY)
      await table.expire(clock.now())
      await sweep()
      assert.deepEqual(await left(), [`${keyPrefix}b.jpg`], `${days} days later`)
    }
    assert.equal(await table.get(uploadKey(uploadId)), undefined, 'nothing tells of the upload any more')
  })

  test('keeps what follows a file until that has ended, also before the file is imported', async () => {
    const { register, post, finalize, finishImport, sweep, left, table } = await setUp()
    const { uploadId, keyPrefix } = await register()
    const [first, second] = [`${keyPrefix}a.jpg`, `${keyPrefix}b.jpg`]
    await post(first)
    const mediaId = toMediaId(await finalize(uploadId))
    await post(second)
    const replacement = { mediaId, companyId: toCompanyId(1), id: '1', filename: 'b.jpg', uploadKey: second, bytes: 1, created: 1, by }
    await table.transact({ replacement: replacementCreation({ ...replacement, uploadedBy: toUserId(1) }) })
    await sweep()
    assert.deepEqual(await left(), [first, second])
    await finishImport(mediaId, first)
    await sweep()
    assert.deepEqual(await left(), [second])
    await table.transact({ end: replacementEnd(replacement) })
    await sweep()
    assert.deepEqual(await left(), [])
  })

  test('removes what was never finalized two days after it was registered, when nobody can finalize it any more', async () => {
    const { register, post, finalize, sweep, left, clock } = await setUp()
    const { uploadId, keyPrefix } = await register()
    const key = `${keyPrefix}a.jpg`
    await post(key)
    clock.advance(DAY - 1)
    await sweep()
    const { uploadId: other, keyPrefix: otherPrefix } = await register()
    await post(`${otherPrefix}a.jpg`)
    assert.ok(await finalize(other), 'until then it can be')
    clock.advance(1)
    await assert.rejects(finalize(uploadId), NotFound)
    clock.advance(DAY - 1)
    await sweep()
    assert.deepEqual((await left()).sort(), [key, `${otherPrefix}a.jpg`].sort())
    clock.advance(1)
    await sweep()
    assert.deepEqual(await left(), [`${otherPrefix}a.jpg`])
  })
})
