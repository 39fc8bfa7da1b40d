import assert from 'node:assert/strict'
import { test } from 'vitest'
import { findMedia } from '../../../shared/library/media/find.ts'
import { addAlias, removeAlias } from '../../../shared/library/publishing/aliases.ts'
import { toFolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { by } from '../../support/library.ts'
import type { SharedLibrary } from './shared-library.ts'

/** What happens to aliases at the same time. */
export function aliasScenarios(library: () => SharedLibrary): void {
  const operator = () => ({ table: library().open.backend.table, clock: library().clock, by })
  const copy = (file: number, folder: number) => library().request('POST', `/media/${file}/folder/${folder}`)
  const remove = (file: number, folder: number) => library().request('DELETE', `/media/${file}/folder/${folder}`)
  const linksOf = async (file: number) => ((await findMedia(operator(), toMediaId(file))).links ?? []).length

  test('files that come and go while their folder gets an alias, or loses it, have a link in the end, or none', async () => {
    const { companyId } = library()
    const ended: number[] = []
    for (let round = 0; round < library().rounds; round++) {
      const [folder, other] = [await library().folder(), await library().folder()]
      const [stays, leaves, comes] = [await library().file(folder), await library().file(folder, other), await library().file(other)]
      const alias = `alias-${folder}`
      const add = () => addAlias(operator(), companyId, alias, { folderId: toFolderId(folder) })
      await Promise.all([add(), library().together(copy(comes, folder), remove(leaves, folder))])
      // A request that read the folder before makes no link: whoever repeats the command does.
      await add()
      assert.deepEqual([await linksOf(stays), await linksOf(leaves), await linksOf(comes)], [1, 0, 1])
      await Promise.all([
        removeAlias(operator(), companyId, alias),
        library().together(copy(leaves, folder), remove(comes, folder), copy(comes, folder)),
      ])
      ended.push(stays, leaves, comes)
    }
    // A link that a request made of a folder that it read before ends with its publication.
    assert.deepEqual(await library().problems(), [])
    for (const file of ended) assert.equal(await linksOf(file), 0)
  })
}
