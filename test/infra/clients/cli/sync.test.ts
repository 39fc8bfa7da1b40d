import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { images } from '../../../support/pictures/index.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { signedIn } from './signed-in.ts'

describe('sync', async () => {
  const { line, library, newFolder, namesIn, run, home } = await signedIn()
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
    assert.equal(plan.last, 'copied 2, unchanged 1, trashed 1, failed 0')
    for (const told of [/^would replace .*a\.txt$/m, /^would upload .*same-as-c\.txt$/m, /^would trash {2}b\.txt$/m])
      assert.match(plan.stdout, told)
    const none = await run(['sync', disk, String(folder), '--delete', '--max-delete', '0'])
    assert.deepEqual([none.code, none.last], [8, 'copied 2, unchanged 1, trashed 0, failed 0'])
    await untilThere(folder, ['a.txt', 'b.txt', 'c.txt', 'same-as-c.txt'])
    const { json } = await run(['sync', disk, String(folder), '--delete', '--json'])
    assert.deepEqual(json.at(-1), { copied: 0, unchanged: 3, trashed: 1, failed: 0 })
    await untilThere(folder, ['a.txt', 'c.txt', 'same-as-c.txt'])
  })

  describe('of a file that has changed', () => {
    /** A folder that has been synced, and the ids of its files by their names. */
    const synced = async (contents: Record<string, string>) => {
      const folder = await newFolder()
      const disk = join(top, `changed-${folder}`)
      await files(disk, contents)
      const sync = (...more: string[]) => run(['sync', disk, String(folder), ...more])
      const { json } = await sync('--json')
      const ids = Object.fromEntries(json.slice(0, -1).map(({ path, id }) => [basename(String(path)), id as number]))
      await untilThere(
        folder,
        Object.keys(contents)
          .map((path) => basename(path))
          .sort(),
      )
      return { folder, disk, sync, ids }
    }
    const isIn = async (id: number, folder: number) =>
      (await library.get('/media/{id}/folders', { params: { path: { id } } })).some(({ group_id }) => group_id === folder)

    const versionsOf = async (id: number) =>
      (await library.get('/media/{id}/files', { params: { path: { id } } })).files.map(({ number, current }) => [number, current])

    test('makes it the next version of the file, which stays where it is, and says so', async () => {
      const { folder, disk, sync, ids } = await synced({ 'a.txt': 'a', 'in/b.txt': 'b' })
      await files(disk, { 'a.txt': 'changed', 'in/b.txt': 'changed, too' })
      const { json, code } = await sync('--json')
      assert.deepEqual([code, json.at(-1)], [0, { copied: 2, unchanged: 0, trashed: 0, failed: 0 }])
      const replaced = json.filter(({ outcome }) => outcome === 'replaced')
      assert.deepEqual(
        replaced.map(({ id, file_number }) => [id, file_number]).sort(),
        Object.values(ids)
          .map((id) => [id, 2])
          .sort(),
      )
      assert.equal((await sync()).last, 'copied 0, unchanged 2, trashed 0, failed 0')
      await files(disk, { 'a.txt': 'changed again' })
      // Without the notes of earlier runs the only file of the name is it.
      await rm(join(home, '.local'), { recursive: true })
      assert.match(
        (await sync()).stdout,
        /^replaced {2}.*a\.txt {2}\(version 3 of file \d+\)\ncopied 1, unchanged 1, trashed 0, failed 0\n$/,
      )
      assert.deepEqual(await versionsOf(ids['a.txt']!), [
        [3, true],
        [2, false],
        [1, false],
      ])
      assert.deepEqual(await namesIn(folder), ['a.txt', 'b.txt'])
    })

    test('brings back what the disk has where somebody replaced the file in the library', async () => {
      const { disk, sync, ids } = await synced({ 'a.txt': 'a' })
      const id = ids['a.txt']!
      await library.upload(new Blob(['of somebody else']), { replaces: id, filename: 'a.txt' })
      await expect.poll(() => versionsOf(id), { timeout: 300_000 }).toHaveLength(2)
      await expect.poll(async () => (await sync()).last, { timeout: 300_000 }).toBe('copied 1, unchanged 0, trashed 0, failed 0')
      assert.deepEqual((await versionsOf(id))[0], [3, true])
      assert.equal(await readFile(join(disk, 'a.txt'), 'utf8'), 'a')
    })

    test('takes no other file of its name for the old one', async () => {
      const { folder, disk, sync, ids } = await synced({ 'a.txt': 'a' })
      const other = await library.upload(new Blob(['of somebody else']), { folder, filename: 'a.txt' })
      await library.waitUntilAvailable(other)
      await untilThere(folder, ['a.txt', 'a.txt'])
      await files(disk, { 'a.txt': 'changed' })
      assert.equal((await sync()).last, 'copied 1, unchanged 0, trashed 0, failed 0')
      assert.deepEqual(
        [await versionsOf(ids['a.txt']!), await versionsOf(other)].map(({ length }) => length),
        [2, 1],
      )
      await files(disk, { 'a.txt': 'changed again' })
      await rm(join(home, '.local'), { recursive: true })
      const unknown = await sync()
      assert.equal(unknown.last, 'copied 1, unchanged 0, trashed 0, failed 0')
      assert.match(unknown.stderr, /beside 2 files of its name/)
    })

    describe('to another type', () => {
      const picture = () => images['plain.jpg']()

      test('puts the new one in the place of the old one, which goes to the trash, and says so', async () => {
        const { folder, disk, sync, ids } = await synced({ 'a.jpg': 'a' })
        await writeFile(join(disk, 'a.jpg'), await picture())
        const { json, code } = await sync('--json')
        assert.deepEqual([code, json.at(-1)], [0, { copied: 1, unchanged: 0, trashed: 1, failed: 0 }])
        assert.deepEqual(
          json.filter(({ outcome }) => outcome === 'replaced').map(({ former_id }) => former_id),
          Object.values(ids),
        )
        await untilThere(folder, ['a.jpg'])
        assert.equal(await isIn(ids['a.jpg']!, folder), false)
        assert.equal((await sync()).last, 'copied 0, unchanged 1, trashed 0, failed 0')
      })

      test('keeps the old one until the new one is there, also where a run ends between them', async () => {
        const { folder, disk, sync, ids } = await synced({ 'a.jpg': 'a' })
        const old = ids['a.jpg']!
        await writeFile(join(disk, 'a.jpg'), await picture())
        line.fault = ({ url }) => (url.endsWith('/move_to_trash') ? { status: 403 } : undefined)
        const refused = await sync()
        line.fault = () => undefined
        assert.deepEqual([refused.code, refused.last], [7, 'copied 0, unchanged 0, trashed 0, failed 1'])
        await untilThere(folder, ['a.jpg', 'a.jpg'])
        assert.ok(await isIn(old, folder))
        assert.equal((await sync()).last, 'copied 0, unchanged 1, trashed 1, failed 0')
        await untilThere(folder, ['a.jpg'])
        assert.equal(await isIn(old, folder), false)
      })
    })
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
