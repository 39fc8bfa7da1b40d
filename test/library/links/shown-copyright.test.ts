import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { shownCopyright } from '../../../shared/library/links/public-objects.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestObjects } from '../../support/library.ts'

const file = { companyId: toCompanyId(1), mediaId: toMediaId(7), kind: 'image' as const, copyright: null }

test("pictures say the library's copyright, else that of their EXIF, unless somebody emptied it", async () => {
  const objects = openTestObjects()
  assert.equal(await shownCopyright(objects, file), null, 'without tags')
  const put = (tags: object) => objects.put(objectKeys.tags(file), Buffer.from(JSON.stringify(tags)), { contentType: 'application/json' })
  await put({ EXIF: { Copyright: ' © Zoë\0\0 ' } })
  assert.equal(await shownCopyright(objects, file), '© Zoë')
  assert.equal(await shownCopyright(objects, { ...file, copyright: 'Us' }), 'Us')
  assert.equal(await shownCopyright(objects, { ...file, emptied: ['copyright'] }), null)
  assert.equal(await shownCopyright(objects, { ...file, emptied: ['title'] }), '© Zoë')
  assert.equal(await shownCopyright(objects, { ...file, kind: 'video' }), null)
  await put({ EXIF: { Copyright: 2026 } })
  assert.equal(await shownCopyright(objects, file), '2026', 'ExifTool prints a number as one')
  await put({ EXIF: { Copyright: ' ' } })
  assert.equal(await shownCopyright(objects, file), null)
  const away = { get: () => Promise.reject(new ObjectsUnavailable('away')) }
  await assert.rejects(shownCopyright(away, file), ObjectsUnavailable)
})
