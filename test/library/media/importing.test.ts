import assert from 'node:assert/strict'
import { test } from 'vitest'
import { getMedia } from '../../../shared/library/media/find.ts'
import { countingAttempt, crashedAttempts, noteThumbhash } from '../../../shared/library/media/importing.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

test('attempts of an import that crash are counted', async () => {
  const library = openTestTable()
  const { mediaId } = await putMedia(library.table, { mediaId: 1, state: 'importing', attempts: 2 })
  const crashed = async () => crashedAttempts((await getMedia(library, toMediaId(mediaId)))!)
  assert.equal(await crashed(), 2)
  const attempt = countingAttempt(library, mediaId, async () => {
    assert.equal(await crashed(), 3, 'while it runs nobody knows how it ends')
    throw new Error('no such tool')
  })
  await assert.rejects(attempt)
  assert.equal(await crashed(), 2)
})

test('the hash of a picture is noted of the file that it is of, and not of one that took its place', async () => {
  const { table } = openTestTable()
  const media = await putMedia(table, { mediaId: 1 })
  await table.update(mediaKey(media.mediaId), { set: { uploadKey: 'upload/other' } })
  await noteThumbhash({ table }, media, 'of the former')
  assert.equal((await getMedia({ table }, media.mediaId))?.thumbhash, undefined)
})
