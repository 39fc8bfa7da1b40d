import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MediaRecord, mediaKey } from '../../../shared/library/media/media.ts'
import type { SharedLibrary } from './shared-library.ts'

const FOLDERS = 12
const FILES = 200

/** What happens to the job that takes away what a deleted folder held. */
export function removalScenarios(library: () => SharedLibrary): void {
  /** A deleted tree of folders with files in one or two of them each; every tenth is also in a folder that stays. */
  async function deletedTree() {
    const kept = await library().folder()
    const top = await library().folder()
    const folders = [top, ...(await Promise.all(Array.from({ length: FOLDERS - 1 }, () => library().folder(top))))]
    const holders = (n: number) => new Set([folders[n % FOLDERS]!, folders[(n * 7) % FOLDERS]!, ...(n % 10 === 0 ? [kept] : [])])
    const files = await Promise.all(Array.from({ length: FILES }, (_, n) => library().file(...holders(n))))
    await library().ask('DELETE', `/folder/${top}`)
    const event = { message: { companyId: library().companyId, folderId: top }, receives: 1 }
    return { files, folders, job: { consumer: 'finish-removal', event } }
  }

  const stored = async (files: number[]) => (await library().open.backend.table.getMany<MediaRecord>(files.map(mediaKey))).length

  test('a removal that runs several times at once ends as if it ran once', async () => {
    const { files, job } = await deletedTree()
    await library().together(job, job, job)
    assert.equal(await stored(files), FILES / 10)
    // Once nobody can be at work in the folders any more their records go.
    library().clock.advance(120)
    await library().together(job, job, job)
    assert.deepEqual(await library().problems(), [])
  })

  test('a removal whose process is killed is finished by the next one', async () => {
    const { files, folders, job } = await deletedTree()
    const peer = await library().extraPeer()
    const died = assert.rejects(peer.do(job))
    while ((await stored(files)) > FILES * 0.8) {}
    await peer.kill()
    await died
    assert.ok((await stored(files)) > FILES / 10, 'it died before it was done')
    for (const folder of folders) assert.equal(await library().status(`/folder/${folder}`), 404)
    assert.deepEqual(await library().problems(), [])
    assert.equal(await stored(files), FILES / 10)
  })
}
