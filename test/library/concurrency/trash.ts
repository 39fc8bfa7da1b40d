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
}
