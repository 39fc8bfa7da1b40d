import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { aiLabelOf, labelsOf } from '../../../shared/library/links/labels.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestObjects } from '../../support/library.ts'

const file = { companyId: toCompanyId(1), mediaId: toMediaId(7), kind: 'image' as const, copyright: null }

/** Objects that hold the file's tags. */
async function storing(tags: object) {
  const objects = openTestObjects()
  await objects.put(objectKeys.tags(file), Buffer.from(JSON.stringify(tags)), { contentType: 'application/json' })
  return objects
}

test("pictures say the library's copyright, else that of their EXIF, unless somebody emptied it", async () => {
  const copyrightIn = async (objects: Parameters<typeof labelsOf>[0], of: Parameters<typeof labelsOf>[1] = file) =>
    (await labelsOf(objects, of)).copyright
  assert.equal(await copyrightIn(openTestObjects()), null, 'without tags')
  const objects = await storing({ EXIF: { Copyright: ' © Zoë\0\0 ' } })
  assert.equal(await copyrightIn(objects), '© Zoë')
  assert.equal(await copyrightIn(objects, { ...file, copyright: 'Us' }), 'Us')
  assert.equal(await copyrightIn(objects, { ...file, emptied: ['copyright'] }), null)
  assert.equal(await copyrightIn(objects, { ...file, emptied: ['title'] }), '© Zoë')
  assert.equal(await copyrightIn(objects, { ...file, kind: 'video' }), null)
  assert.equal(await copyrightIn(await storing({ EXIF: { Copyright: 2026 } })), '2026', 'ExifTool prints a number as one')
  assert.equal(await copyrightIn(await storing({ EXIF: { Copyright: ' ' } })), null)
  const away = { get: () => Promise.reject(new ObjectsUnavailable('away')) }
  await assert.rejects(copyrightIn(away), ObjectsUnavailable)
})

test.each([
  ['http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia', 'trainedAlgorithmicMedia', 'generated'],
  ['compositeSynthetic', 'compositeSynthetic', 'modified'],
  [
    'https://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia',
    'compositeWithTrainedAlgorithmicMedia',
    'modified',
  ],
  ['http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture', 'digitalCapture', null],
  ['http://example.com/else', null, null],
  ['a"><x', null, null],
])('how a picture came about: %s', async (value, digitalSourceType, label) => {
  const labels = await labelsOf(await storing({ XMP: { DigitalSourceType: value } }), file)
  assert.deepEqual([labels.digitalSourceType, aiLabelOf(labels)], [digitalSourceType, label])
})
