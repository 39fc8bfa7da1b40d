import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { companyKey, listingKey } from '../../../shared/library/accounts/companies.ts'
import { fillThumbHashes } from '../../../shared/library/imports/fill-thumbhashes.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { createThumbHasher } from '../../../shared/tools/imaging/thumbhash.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { COMPANY, putMedia } from '../../support/media.ts'

const never = () => false

describe('filling in ThumbHashes', () => {
  /** A library of so many pictures of an earlier version. */
  async function setUp(count: number) {
    const { table, media: objects } = await openImportStores()
    await table.put({ ...companyKey(COMPANY), companyId: COMPANY, name: 'Company', created: 0, streaming: false, stock: false })
    await table.put({ ...listingKey(COMPANY), companyId: COMPANY })
    const picture = await sharp({ create: { width: 110, height: 60, channels: 3, background: '#407010' } })
      .jpeg()
      .toBuffer()
    const put = async (mediaId: number, over: Partial<Parameters<typeof putMedia>[1]> = {}) => {
      const key = `${COMPANY}/${mediaId}/renditions/110x60`
      await objects.put(key, picture, { contentType: 'image/jpeg' })
      const renditions = { '110px': { key, mime: 'image/jpeg', width: 110, height: 60, bytes: picture.length } }
      await putMedia(table, { mediaId, modified: mediaId, renditions, ...over })
    }
    for (let id = 1; id <= count; id++) await put(id)
    const read = async (mediaId: number) => (await table.get<StoredMedia>(mediaKey(toMediaId(mediaId))))!
    let hashed = 0
    const hash = createThumbHasher()
    const thumbHasher = (bytes: Buffer) => {
      hashed++
      return hash(bytes)
    }
    return {
      objects,
      put,
      read,
      hashed: () => hashed,
      fill: (outOfTime = never) => fillThumbHashes({ table, media: objects, thumbHasher }, outOfTime),
    }
  }

  test('gives every picture one, as no change of the file, and then is done', async () => {
    const { put, read, fill, hashed } = await setUp(3)
    await put(4, { thumbhash: 'AAAA' })
    await put(5, { kind: 'generic', renditions: {} })
    await fill()
    for (const id of [1, 2, 3]) {
      const { thumbhash, revision, version } = await read(id)
      assert.ok(Buffer.from(thumbhash!, 'base64').length > 4)
      assert.deepEqual([revision, version], [1, 1])
    }
    assert.deepEqual([(await read(4)).thumbhash, (await read(5)).thumbhash, hashed()], ['AAAA', undefined, 3])
    await put(6)
    await fill()
    assert.equal(hashed(), 3, 'imports make those of new files')
  })

  test('leaves out a picture that is gone or damaged', async () => {
    const { objects, read, fill } = await setUp(3)
    await objects.delete([`${COMPANY}/1/renditions/110x60`])
    await objects.put(`${COMPANY}/2/renditions/110x60`, Buffer.from('no picture'), { contentType: 'image/jpeg' })
    await fill()
    assert.deepEqual(
      [(await read(1)).thumbhash, (await read(2)).thumbhash, typeof (await read(3)).thumbhash],
      [undefined, undefined, 'string'],
    )
  })

  test('goes on where an earlier run was out of time', async () => {
    const { read, fill, hashed } = await setUp(450)
    let runs = 0
    while (hashed() < 450 && runs++ < 20) await fill(() => true)
    assert.ok(runs > 4 && runs < 15, `${runs} runs`)
    for (let id = 1; id <= 450; id++) assert.ok((await read(id)).thumbhash)
    assert.equal(hashed(), 450)
  })
})
