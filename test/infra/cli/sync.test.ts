import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { signedIn } from './signed-in.ts'

describe('sync', async () => {
  const { library, newFolder, namesIn, run } = await signedIn()
  const top = temporaryDirectory(afterAll)
  const files = async (disk: string, contents: Record<string, string>) => {
    for (const [path, content] of Object.entries(contents)) {
      await mkdir(join(disk, path, '..'), { recursive: true })
      await writeFile(join(disk, path), content)
    }
  }
  const untilThere = (folder: number, names: string[]) => expect.poll(() => namesIn(folder), { timeout: 300_000 }).toEqual(names)

  test('brings a folder of the library to what a folder of the disk has', async () => {
    const folder = await newFolder()
    const disk = join(top, 'up')
    await files(disk, { 'a.txt': 'a', 'b.txt': 'b', 'in/c.txt': 'c' })
    assert.equal((await run(['sync', disk, String(folder)])).last, 'copied 3, unchanged 0, trashed 0, failed 0')
    await untilThere(folder, ['a.txt', 'b.txt', 'c.txt'])
    assert.equal((await run(['sync', disk, String(folder), '--delete'])).last, 'copied 0, unchanged 3, trashed 0, failed 0')
    await rm(join(disk, 'b.txt'))
    await writeFile(join(disk, 'a.txt'), 'changed')
    await writeFile(join(disk, 'same-as-c.txt'), 'c')
    const plan = await run(['sync', disk, String(folder), '--delete', '--dry-run'])
    assert.equal(plan.last, 'copied 2, unchanged 1, trashed 2, failed 0')
    assert.match(plan.stdout, /would trash {2}a\.txt\nwould trash {2}b\.txt/)
    const none = await run(['sync', disk, String(folder), '--delete', '--max-delete', '1'])
    assert.deepEqual([none.code, none.last], [8, 'copied 2, unchanged 1, trashed 0, failed 0'])
    await untilThere(folder, ['a.txt', 'a.txt', 'b.txt', 'c.txt', 'same-as-c.txt'])
    const { json } = await run(['sync', disk, String(folder), '--delete', '--json'])
    assert.deepEqual(json.at(-1), { copied: 0, unchanged: 3, trashed: 2, failed: 0 })
    await untilThere(folder, ['a.txt', 'c.txt', 'same-as-c.txt'])
  })

  test('brings a folder of the disk to what a folder of the library has', async () => {
    const folder = await newFolder()
    for (const name of ['a.txt', 'b.txt'])
      await library.waitUntilAvailable(await library.upload(new Blob([name]), { folder, filename: name }))
    await untilThere(folder, ['a.txt', 'b.txt'])
    const disk = join(top, 'down')
    await files(disk, { 'a.txt': 'another', 'surplus.txt': 's', 'in/surplus.txt': 's' })
    assert.equal((await run(['sync', String(folder), disk])).last, 'copied 2, unchanged 0, trashed 0, failed 0')
    assert.equal(await readFile(join(disk, 'a.txt'), 'utf8'), 'a.txt')
    assert.deepEqual(await readdir(disk), ['a.txt', 'b.txt', 'in', 'surplus.txt'])
    assert.equal((await run(['sync', String(folder), disk, '--delete', '--max-delete', '1'])).code, 8)
    assert.equal((await run(['sync', String(folder), disk, '--delete'])).last, 'copied 0, unchanged 2, trashed 2, failed 0')
    const [trash, ...kept] = await readdir(disk)
    assert.deepEqual([trash, ...kept], ['.media-library-trash', 'a.txt', 'b.txt', 'in'])
    const [when] = await readdir(join(disk, trash!))
    assert.equal(await readFile(join(disk, trash!, when!, 'in/surplus.txt'), 'utf8'), 's')
    assert.equal((await run(['sync', String(folder), disk, '--delete'])).last, 'copied 0, unchanged 2, trashed 0, failed 0')
  })

  test('deletes nothing where a folder is missing, or a file can not be read', async () => {
    const folder = await newFolder()
    await library.waitUntilAvailable(await library.upload(new Blob(['a']), { folder, filename: 'a.txt' }))
    await untilThere(folder, ['a.txt'])
    for (const missing of [join(top, 'missing'), 'missing']) {
      assert.equal((await run(['sync', missing, String(folder), '--delete'])).code, 4)
    }
    assert.equal((await run(['sync', top, 'Nowhere', '--delete'])).code, 3)
    assert.deepEqual(await namesIn(folder), ['a.txt'])
  })
})
