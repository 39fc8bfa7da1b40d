import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { itemsNamed } from '../../../../infra/clients/console/app/uploads/items-named.ts'

describe('the files of a folder that have certain names', () => {
  const SIZE = 10
  const sorted = Array.from({ length: 640 }, (_, index) => `IMG_${String(index).padStart(4, '0')}.jpg`)

  async function found(names: readonly string[], list: readonly string[]) {
    let reads = 0
    const page = async (index: number) => {
      reads++
      return { items: list.slice(index * SIZE, (index + 1) * SIZE), pages: Math.ceil(list.length / SIZE) }
    }
    const items = await itemsNamed(names, (name) => name, page)
    return { items: items.sort(), reads }
  }

  test('few names are found in a long list with few requests', async () => {
    const { items, reads } = await found(['IMG_0437.jpg', 'absent.jpg'], sorted)
    assert.deepEqual(items, ['IMG_0437.jpg'])
    assert.ok(reads <= 14, `${reads} requests`)
  })

  test('all names are found with one request a page', async () => {
    assert.deepEqual(await found(sorted, sorted), { items: sorted, reads: 64 })
  })

  test('a name that several files have is found on every page, and in its own case alone', async () => {
    const list = [...Array(25).fill('a.jpg'), ...Array(3).fill('A.jpg'), ...Array(25).fill('a.jpg'), 'b.jpg', 'ÆBLE.jpg', '🌊.jpg']
    assert.equal((await found(['a.jpg'], list)).items.length, 50)
    assert.deepEqual((await found(['ÆBLE.jpg', '🌊.jpg'], list)).items, ['ÆBLE.jpg', '🌊.jpg'])
  })

  test('an empty folder has none', async () => {
    assert.deepEqual(await found(['a.jpg'], []), { items: [], reads: 1 })
  })
})
