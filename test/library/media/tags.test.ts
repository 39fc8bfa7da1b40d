import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { removeStored } from '../../../shared/library/media/stored-removal.ts'
import { readTags } from '../../../shared/library/media/tags.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { exchangeBytes } from '../../support/exchanged.ts'
import { instead } from '../../support/instead.ts'
import { openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const FILE = toMediaId(1)

test('tags are those of the current file where the former ones are deleted between the two reads, and an error where there are none', async () => {
  const library = openTestTable()
  const media = openTestObjects(library.clock)
  const { companyId, admin } = await openTestCompany(library)
  const folder = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null })
  const before = await putMedia(library.table, { mediaId: FILE, companyId, folders: [contentsOf(folder)] })
  const tag = (file: Parameters<typeof objectKeys.tags>[0], Model: string) =>
    media.put(objectKeys.tags(file), Buffer.from(JSON.stringify({ EXIF: { Model } })), { contentType: 'application/json' })
  await tag(before, 'old')
  const get: typeof media.get = async (key) => {
    if (key === objectKeys.tags(before)) {
      await exchangeBytes({ ...library, media }, FILE, Buffer.from('other bytes'), {}, async (stored) => {
        await tag(stored, 'new')
        return {}
      })
      await removeStored({ media }, before)
    }
    return media.get(key)
  }
  const reading = { ...requestOf(library, admin), media: instead(media, { get }) }
  assert.deepEqual(await readTags(reading, FILE), { EXIF: { Model: 'new' } })
  const gone: typeof media.get = async (key) => {
    throw new ObjectMissing(key)
  }
  await assert.rejects(readTags({ ...reading, media: instead(media, { get: gone }) }, FILE), ObjectMissing)
})
