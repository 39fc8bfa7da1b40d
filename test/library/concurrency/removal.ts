import assert from 'node:assert/strict'
import { test } from 'vitest'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { removalJob, removalKey } from '../../../shared/library/tree/folder-changes.ts'
import { toFolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { SharedLibrary } from './shared-library.ts'

const FOLDERS = 6
const FILES = 120

/** A run of the job that removes what a deleted folder held. */
export function removalOf({ companyId }: SharedLibrary, folder: number) {
  const deleted = { folderId: toFolderId(folder) }
  return { consumer: removalJob.name, event: { job: { ...removalKey(deleted), companyId, input: deleted } } }
}

/** What happens to the job that takes away what a deleted folder held. */
export function removalScenarios(library: () => SharedLibrary): void {
  /**
   * A deleted tree of folders with files in one or two of them each; every tenth is also in a folder that stays. Each folder holds 30 files
   * and the only pointers of some, so whichever folder a removal begins with, the first transactions delete files.
   */
  async function deletedTree() {
    const kept = await library().folder()
    const top = await library().folder()
    const folders = [top, ...(await Promise.all(Array.from({ length: FOLDERS - 1 }, () => library().folder(top))))]
    const holders = (n: number) => {
      const isAlone = Math.floor(n / FOLDERS) % 2 === 0
      return [n, ...(isAlone ? [] : [n + 1])].map((at) => folders[at % FOLDERS]!).concat(n % 10 === 0 ? [kept] : [])
    }
    const files = await Promise.all(Array.from({ length: FILES }, (_, n) => library().file(...holders(n))))
    await library().ask('DELETE', `/folder/${top}`)
    return { files, folders, job: removalOf(library(), top) }
  }

  const stored = async (files: number[]) =>
    (await library().open.backend.table.getMany<StoredMedia>(files.map(toMediaId).map(mediaKey))).length

  test('a removal that runs several times at once ends as if it ran once', async () => {
    const { files, job } = await deletedTree()
    await library().together(job, job, job)
    assert.equal(await stored(files), FILES / 10)
    // Once nobody can be at work in the folders any more their records go.
    library().clock.advance(120)
    await library().together(job, job, job)
    assert.deepEqual(await library().problems(), [])
  })

  test('a removal whose process dies goes on in the next one, wherever that was', async () => {
    const { files, folders, job } = await deletedTree()
    // Five transactions of 16 pointers are done by then: those of two folders at least, and not those of three.
    for (const diesAt of [1, 3, 4]) {
      const peer = await library().extraPeer()
      await assert.rejects(peer.do({ ...job, diesAt }))
    }
    const left = await stored(files)
    assert.ok(left < FILES && left > FILES / 10, 'some of it was done, and not all')
    for (const folder of folders) assert.equal(await library().status(`/folder/${folder}`), 404)
    assert.deepEqual(await library().problems(), [])
    assert.equal(await stored(files), FILES / 10)
  })
}
