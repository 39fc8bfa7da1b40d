import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import { deleteFolder } from '../../../shared/library/folders/folders.ts'
import { purgeFolder } from '../../../shared/library/folders/purge.ts'
import { pointerKey } from '../../../shared/library/media/keys.ts'
import { objectKeys, removeObjects } from '../../../shared/library/media/objects.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { claimId, contentsOf } from '../../../shared/library/tree/folder.ts'
import { toFolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { runRemovals } from '../../support/removals.ts'
import { fileIds, HOUR, open, prefixOf } from './damage.ts'

describe('a check of a library', () => {
  test('finds nothing where nothing is wrong', async () => {
    const { library } = await open()
    assert.deepEqual(await library.check(), [])
  })

  test('finds nothing in folders and files that a job is about to remove, nor once it has', async () => {
    const { library } = await open()
    const { acting, folder, other, check } = library
    await purgeFolder(acting(), folder.folderId)
    await deleteFolder(acting(), other.folderId)
    assert.deepEqual(await check(), [])
    await runRemovals(library)
    assert.deepEqual(await check(), [])
  })

  test('finds objects of a deleted file only when they were not removed within an hour', async () => {
    const { library, clock } = await open()
    const { file, check } = library
    await changePointers(library, file.mediaId, () => new Map())
    assert.deepEqual(await check(), [])
    clock.advance(HOUR + 1)
    assert.deepEqual(await check(), [{ problem: 'objects_without_file', ...fileIds(library), object: prefixOf(library) }])
    await removeObjects(library, file)
    assert.deepEqual(await check(), [])
  })

  test('finds nothing in many files, and each one that lacks something among them', async () => {
    const { library } = await open()
    const { addFile, folder, companyId, media, check } = library
    for (let mediaId = 1_000; mediaId < 1_230; mediaId++) await addFile(mediaId, [folder.folderId])
    assert.deepEqual(await check(), [])
    const lost = [1_000, 1_099, 1_100, 1_199, 1_229]
    await media.delete(lost.map((mediaId) => objectKeys.tags({ companyId, mediaId: toMediaId(mediaId) })))
    const found = (await check()).map(({ problem, media_id }) => [problem, media_id])
    assert.deepEqual(
      found,
      lost.map((mediaId) => ['object_missing', mediaId]),
    )
  })

  test('does not report what is right again at the next check of a suspect', async () => {
    const { library } = await open()
    const { table, file, folder, check } = library
    const stored = await table.get(pointerKey(file.mediaId, contentsOf(folder)))
    await table.delete(stored!)
    const repaired = sleep(50).then(() => table.put(stored!))
    assert.deepEqual(await check([0, 500]), [])
    await repaired
  })

  test('finds originals that cannot be read, or no further than to some byte, with `deep`', async () => {
    const { library } = await open()
    const { table, scanner, media, clock, file } = library
    const breaking = async (key: string) => {
      if (key !== objectKeys.original(file)) throw Object.assign(new Error('EIO: i/o error, open'), { code: 'EIO' })
      const { stream, ...told } = await media.get(key)
      stream.push('x')
      return { ...told, stream: stream.destroy(new Error('EIO: i/o error, read')) }
    }
    const reader = { head: media.head.bind(media), list: media.list.bind(media), get: breaking }
    const found = await checkLibrary({ table, scanner, media: reader, clock }, { pauses: [0], deep: true })
    const told = found.map(({ problem, media_id, message }) => [problem, media_id, message.slice(message.indexOf(':'))])
    assert.deepEqual(
      told.sort(([, one], [, other]) => Number(one) - Number(other)),
      [
        ['original_unreadable', 11, ': EIO: i/o error, read.'],
        ['original_unreadable', 12, ': EIO: i/o error, open.'],
        ['original_unreadable', 13, ': EIO: i/o error, open.'],
        ...[1, 2, 3].map(() => ['original_unreadable', 15, ': EIO: i/o error, open.']),
      ],
    )
  })

  test('an outage of the storage while originals are read is no problem of the library: the check fails', async () => {
    const { library } = await open()
    const { table, scanner, media, clock } = library
    const get = () => Promise.reject(new ObjectsUnavailable('storage is unavailable'))
    const reader = { head: media.head.bind(media), list: media.list.bind(media), get }
    await assert.rejects(checkLibrary({ table, scanner, media: reader, clock }, { pauses: [0], deep: true }), ObjectsUnavailable)
  })

  test('ends when there are too many problems to list', async () => {
    const { library } = await open()
    const { table, companyId, check } = library
    for (let start = 1; start <= 10_100; start += 100) {
      const ids = Array.from({ length: 100 }, (_, n) => start + n)
      await table.transact(Object.fromEntries(ids.map((id) => [`claim ${id}`, claimId(companyId, toFolderId(id))])))
    }
    const problems = await check([])
    assert.equal(problems.length, 10_001)
    assert.deepEqual(problems.at(-1), { problem: 'too_many_problems' })
  })
})
