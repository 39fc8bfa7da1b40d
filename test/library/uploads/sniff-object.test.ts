import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ObjectChanged, ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { sniffObject } from '../../../shared/library/uploads/sniff-object.ts'
import { sniff } from '../../../shared/tools/sniffing.ts'
import { instead } from '../../support/instead.ts'
import { openTestObjects } from '../../support/library.ts'
import { images, mp4, save } from '../../support/pictures/index.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const MiB = 1024 ** 2

async function stored(bytes: Uint8Array) {
  const objects = openTestObjects()
  await objects.put('upload/file', Buffer.from(bytes), { contentType: 'application/octet-stream' })
  return objects
}

describe('the type of an object', () => {
  test('is that of the same bytes in a file', async () => {
    const pictures = await Promise.all(Object.values(images).map((make) => make()))
    const others = ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'text', '', `${' '.repeat(70_000)}%PDF-1.4`].map((text) =>
      Buffer.from(text),
    )
    const directory = temporaryDirectory()
    for (const [n, bytes] of [...pictures, mp4(['vide']), ...others].entries()) {
      const path = await save(directory, String(n), Buffer.from(bytes))
      assert.deepEqual(await sniffObject(await stored(bytes), 'upload/file'), await sniff(path), String(n))
    }
  })

  test('is read of some of its blocks, each once', async () => {
    const objects = await stored(Buffer.concat([await images['plain.jpg'](), Buffer.alloc(8 * MiB)]))
    const read: number[] = []
    const counting = instead(objects, {
      get: (key, range) => {
        read.push(range!.start)
        return objects.get(key, range)
      },
    })
    assert.equal((await sniffObject(counting, 'upload/file')).mime, 'image/jpeg')
    assert.ok(read.length <= 3, `${read}`)
    assert.equal(new Set(read).size, read.length)
  })

  test('is unknown to nobody because storage failed, or it was replaced meanwhile', async () => {
    const objects = await stored(await images['plain.jpg']())
    const failing = (error: Error, after: number) => {
      let calls = 0
      return instead(objects, { get: (key, range) => (calls++ < after ? objects.get(key, range) : Promise.reject(error)) })
    }
    await assert.rejects(sniffObject(failing(new ObjectsUnavailable('down'), 0), 'upload/file'), ObjectsUnavailable)
    const large = await stored(Buffer.concat([Buffer.from('ID3\u0003\0\0\0\u0018\0\0', 'latin1'), Buffer.alloc(2 * MiB)]))
    const cut = instead(large, {
      get: (key, range) =>
        range!.start > 0 && range!.start < MiB ? Promise.reject(new ObjectsUnavailable('down')) : large.get(key, range),
    })
    await assert.rejects(sniffObject(cut, 'upload/file'), ObjectsUnavailable)
    const other = instead(objects, { head: async (key) => ({ ...(await objects.head(key))!, etag: 'other' }) })
    await assert.rejects(sniffObject(other, 'upload/file'), ObjectChanged)
  })
})
