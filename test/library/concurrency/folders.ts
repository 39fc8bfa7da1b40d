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
}

function bound(library: SharedLibrary) {
  return { together: library.together.bind(library), folder: library.folder.bind(library) }
}
