import assert from 'node:assert/strict'
import { test } from 'vitest'
import { TRASH_DAYS } from '../../../shared/library/due.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { toFolderId } from '../../../shared/vocabulary/ids.ts'
import { by } from '../../support/library.ts'
import type { SharedLibrary } from './shared-library.ts'

type Listed = { id: number; permissions: { groups: string[] } }

/** What happens to trashcans, and tags, at the same time. */
export function trashScenarios(library: () => SharedLibrary): void {
  const trashcansOf = async (authorization?: string) => {
    const folders = await library().ask<Listed[]>('GET', '/folder', undefined, authorization)
    return folders.filter(({ permissions }) => permissions.groups.includes('TRASH'))
  }

  test('a trashcan that several requests need first is made once', async () => {
    const { open, clock } = library()
    const folderId = await library().folder()
    for (let round = 0; round < 5; round++) {
      const { user, authorization } = await library().user()
      await setGrants({ table: open.backend.table, clock, by }, toFolderId(folderId), user.userId, () => ['READ', 'WRITE', 'ADMIN'])
      const files = [await library().file(folderId), await library().file(folderId)]
      const folders = [await library().folder(folderId), await library().folder(folderId)]
      const outcomes = await library().together(
        ...files.map((id) => library().request('POST', `/media/${id}/folder/${folderId}/move_to_trash`, undefined, authorization)),
        ...folders.map((id) => library().request('POST', `/folder/${id}/move_to_trash`, undefined, authorization)),
      )
      assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], [200])
      const trashcans = await trashcansOf(authorization)
      assert.equal(trashcans.length, 1)
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('a folder trashed, moved and deleted at the same time ends in one place or none', async () => {
    for (let round = 0; round < library().rounds; round++) {
      const [target, folder] = [await library().folder(), await library().folder()]
      const file = await library().file(await library().folder(folder))
      const [trashed, moved] = await library().together(
        library().request('POST', `/folder/${folder}/move_to_trash`),
        library().request('POST', `/folder/${folder}`, { parent: target }),
        ...(round % 2 ? [library().request('DELETE', `/folder/${folder}`)] : []),
      )
      const status = await library().status(`/folder/${folder}`)
      assert.equal(await library().status(`/media/${file}`), status)
      if (round % 2 === 0) assert.deepEqual([status, trashed!.status, moved!.status], [200, 200, 200])
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('trash that is restored while it expires is whole, or gone', async () => {
    const { clock } = library()
    const [source, target] = [await library().folder(), await library().folder()]
    const files = await Promise.all(Array.from({ length: library().rounds }, () => library().file(source)))
    const folders = await Promise.all(Array.from({ length: 5 }, () => library().folder(source)))
    const held = await Promise.all(folders.map((folder) => library().file(folder)))
    await library().together(
      ...files.map((id) => library().request('POST', `/media/${id}/folder/${source}/move_to_trash`)),
      ...folders.map((id) => library().request('POST', `/folder/${id}/move_to_trash`)),
    )
    const [trashcan] = await trashcansOf()
    clock.advance(TRASH_DAYS * 86_400 + 1)
    const restored = await library().together(
      ...files.map((id) => library().request('POST', `/media/${id}/move`, { from: trashcan!.id, to: target })),
      { consumer: 'expire-trash', event: {} },
      { consumer: 'expire-trash', event: {} },
      ...folders.map((id) => library().request('POST', `/folder/${id}`, { parent: target })),
    )
    const outcomes = restored.filter(({ status }) => status !== undefined).map(({ status }) => status)
    assert.deepEqual(await library().problems(), [])
    const left = await Promise.all([...files, ...held].map((file) => library().status(`/media/${file}`)))
    assert.deepEqual(left, outcomes, 'what was restored is there, what was not is gone')
  })

  test('no tag of a folder is lost when many change at the same time, with its name and place', async () => {
    const [folder, parent] = [await library().folder(), await library().folder()]
    const old = Array.from({ length: 15 }, (_, n) => `old ${n}`)
    const fresh = Array.from({ length: 15 }, (_, n) => `fresh ${n}`)
    await library().ask('PUT', `/folder/${folder}/tags`, [...old, 'kept'])
    const outcomes = await library().together(
      ...fresh.map((tag) => library().request('PUT', `/folder/${folder}/tags`, [tag])),
      library().request('POST', `/folder/${folder}`, { name: 'renamed' }),
      ...old.map((tag) => library().request('DELETE', `/folder/${folder}/tags`, [tag])),
      library().request('POST', `/folder/${folder}`, { parent }),
    )
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], [200])
    const tags = await library().ask<string[]>('GET', `/folder/${folder}/tags`)
    const now = await library().ask<{ name: string; parent: number }>('GET', `/folder/${folder}`)
    assert.deepEqual(tags.toSorted(), [...fresh, 'kept'].sort())
    assert.deepEqual([now.name, now.parent], ['renamed', parent])
  })
}
