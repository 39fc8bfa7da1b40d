import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { SharedLibrary } from './shared-library.ts'

/** What happens to folders at the same time. */
export function folderScenarios(library: () => SharedLibrary): void {
  const move = (folder: number, parent: number | null) => library().request('POST', `/folder/${folder}`, { parent })

  test('of two moves that together would make a cycle one wins', async () => {
    const { together, folder } = bound(library())
    for (let round = 0; round < library().rounds; round++) {
      const [a, b] = [await folder(), await folder()]
      const statuses = (await together(move(a, b), move(b, a))).map(({ status }) => status)
      assert.deepEqual(statuses.sort(), [200, 400])
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('of three moves that together would make a cycle at least one fails', async () => {
    const { together, folder } = bound(library())
    for (let round = 0; round < library().rounds; round++) {
      const [a, b, c] = [await folder(), await folder(), await folder()]
      const statuses = (await together(move(a, b), move(b, c), move(c, a))).map(({ status }) => status)
      assert.deepEqual(statuses.sort(), [200, 200, 400])
    }
    assert.deepEqual(await library().problems(), [])
  })

  for (const [how, remove] of [
    ['deleted', (id: number) => library().request('DELETE', `/folder/${id}`)],
    ['purged', (id: number) => library().request('POST', `/folder/${id}/purge`)],
    ['moved to the trash and deleted there', (id: number) => library().request('POST', `/folder/${id}/move_to_trash`)],
  ] as const) {
    test(`what is created below a folder while it is ${how} goes with it, or was never made`, async () => {
      const { together, folder } = bound(library())
      const made: number[] = []
      for (let round = 0; round < library().rounds; round++) {
        const top = await folder()
        const below = await folder(top)
        made.push(await folder(below))
        const create = library().request('POST', '/folder', { name: 'late', parent: below })
        const [removed, ...created] = await together(remove(top), create, create, move(await folder(), below))
        assert.equal(removed!.status, 200)
        for (const { status, body } of created) {
          assert.ok(status === 200 || status === 404, `${status}`)
          if (status === 200) made.push((body as { id: number }).id)
        }
        if (how.startsWith('moved')) await together(remove(top))
      }
      for (const id of made) assert.equal(await library().status(`/folder/${id}`), 404)
      assert.deepEqual(await library().problems(), [])
    })
  }

  test('a folder moved out of one that is deleted is saved, or gone', async () => {
    const { together, folder } = bound(library())
    for (let round = 0; round < library().rounds; round++) {
      const top = await folder()
      const below = await folder(top)
      const file = await library().file(below)
      const [moved] = await together(move(below, null), library().request('DELETE', `/folder/${top}`))
      const expected = moved!.status === 200 ? 200 : 404
      assert.equal(await library().status(`/folder/${below}`), expected)
      assert.equal(await library().status(`/media/${file}`), expected)
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('many folders made at the same time are all there', async () => {
    const { together } = bound(library())
    const create = Array.from({ length: 40 }, (_, n) => library().request('POST', '/folder', { name: `folder ${n}`, parent: null }))
    const created = await together(...create)
    assert.deepEqual([...new Set(created.map(({ status }) => status))], [200])
    const listed = new Set((await library().ask<{ id: number }[]>('GET', '/folder')).map(({ id }) => id))
    assert.ok(created.every(({ body }) => listed.has((body as { id: number }).id)))
  })
}

function bound(library: SharedLibrary) {
  return { together: library.together.bind(library), folder: library.folder.bind(library) }
}
