import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { quadrantImage } from '../../../support/pictures/quadrants.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { withoutPauses } from '../../../support/without-pauses.ts'
import { signedIn } from './signed-in.ts'

describe('download', async () => {
  const { line, library, newFolder, run, start, ended } = await signedIn()
  const disk = temporaryDirectory(afterAll)
  const folder = await newFolder('Press')
  const { id: inner } = await library.post('/folder', { body: { name: '2026', parent: folder } })
  const large = randomBytes(3 * 2 ** 20)
  const picture = await quadrantImage().jpeg().toBuffer()
  const ids: number[] = []
  for (const [into, filename, bytes] of [
    [folder, 'a.txt', Buffer.from('a')],
    [folder, 'a.txt', Buffer.from('another')],
    [folder, 'picture.jpg', picture],
    [inner, '# % 🌊.bin', large],
    [inner, 'empty.txt', Buffer.alloc(0)],
  ] as const) {
    const id = await library.upload(new Blob([new Uint8Array(bytes)]), { folder: into, filename })
    await library.waitUntilAvailable(id)
    ids.push(id)
  }
  const query = { folder_ids: [folder], recursive: true, return_values: ['unique_media_id' as const] }
  await vi.waitFor(async () => assert.equal((await library.get('/search', { params: { query } })).response.hits, ids.length), {
    timeout: 300_000,
    interval: 200,
  })

  test('has all of a folder, byte for byte, and does nothing the second time', async () => {
    const target = join(disk, 'all')
    const first = await run(['download', 'Press', target, '--original'])
    assert.deepEqual([first.code, first.last], [0, 'downloaded 5, already there 0, failed 0'])
    assert.deepEqual((await readdir(target)).sort(), ['2026', 'a (2).txt', 'a.txt', 'picture.jpg'])
    assert.equal(await readFile(join(target, 'a.txt'), 'utf8'), 'a')
    assert.equal(await readFile(join(target, 'a (2).txt'), 'utf8'), 'another')
    assert.deepEqual(await readFile(join(target, 'picture.jpg')), picture)
    assert.deepEqual(await readFile(join(target, '2026/# % 🌊.bin')), large)
    assert.deepEqual(await readdir(join(target, '2026')), ['# % 🌊.bin', 'empty.txt'])
    assert.equal((await run(['download', String(folder), target, '--original'])).last, 'downloaded 0, already there 5, failed 0')
    await writeFile(join(target, 'a.txt'), 'changed')
    const { json } = await run(['download', 'Press', target, '--original', '--json'])
    assert.deepEqual(json.at(-1), { downloaded: 1, already_there: 4, failed: 0 })
  })

  test('has files by their ids, in a size, and with their metadata beside them', async () => {
    const target = join(disk, 'some')
    assert.equal((await run(['download', String(ids[0]), String(ids[1]), target])).last, 'downloaded 2, already there 0, failed 0')
    assert.deepEqual(await readdir(target), ['a (2).txt', 'a.txt'])
    const { last } = await run(['download', String(ids[2]), target, '--size', '110px', '--sidecars'])
    assert.equal(last, 'downloaded 1, already there 0, failed 0')
    assert.notDeepEqual(await readFile(join(target, 'picture.jpg')), picture)
    assert.match(await readFile(join(target, 'picture.jpg.xmp'), 'utf8'), /<x:xmpmeta /)
    const sidecar = JSON.parse(await readFile(join(target, 'picture.jpg.json'), 'utf8'))
    assert.equal(sidecar.file_md5, createHash('md5').update(picture).digest('hex'))
  })

  test('goes on by Range after it was killed', async () => {
    const target = join(disk, 'killed')
    const child = start(['download', String(ids[3]), target, '--original'])
    await expect.poll(async () => (await readdir(target).catch(() => [])).length, { timeout: 300_000, interval: 1 }).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await ended(child)
    assert.equal((await run(['download', String(ids[3]), target, '--original'])).code, 0)
    assert.deepEqual(await readFile(join(target, '# % 🌊.bin')), large)
    assert.deepEqual(await readdir(target), ['# % 🌊.bin'])
    // What is there of it is not sent again: bytes that arrived damaged show that, and are found out.
    const damaged = join(disk, 'damaged')
    await run(['download', String(ids[0]), damaged])
    await writeFile(join(damaged, `.${ids[3]}-1-original.part`), Buffer.alloc(2 ** 20))
    assert.equal((await run(['download', String(ids[3]), damaged, '--original'])).code, 0)
    assert.deepEqual(await readFile(join(damaged, '# % 🌊.bin')), large)
  })

  test('goes on over a line that breaks, while it asks and while it reads', async () => {
    withoutPauses()
    const target = join(disk, 'broken')
    let [asked, read] = [2, 2]
    line.fault = ({ url }) => {
      if (url.includes('/download_location')) return asked-- > 0 ? 'break' : undefined
      return url.startsWith('/media/') || url.startsWith('/folder') || read-- <= 0 ? undefined : 'break'
    }
    const { code, last } = await run(['download', String(ids[3]), target, '--original'])
    line.fault = () => undefined
    assert.deepEqual([code, last], [0, 'downloaded 1, already there 0, failed 0'])
    assert.ok(asked < 0 && read < 0, 'the line broke too seldom')
    assert.deepEqual(await readFile(join(target, '# % 🌊.bin')), large)
  })

  test.skipIf(process.platform !== 'linux')('ends when the disk is full, and leaves no half of a file', async () => {
    const target = join(disk, 'full')
    await mkdir(target)
    // A disk without room: what is written to this place is refused so.
    await symlink('/dev/full', join(target, `.${ids[3]}-1-original.part`))
    const { code, last, stderr } = await run(['download', String(ids[3]), target, '--original'])
    assert.deepEqual([code, last], [8, 'downloaded 0, already there 0, failed 1'])
    assert.match(stderr, /ENOSPC/)
    await assert.rejects(stat(join(target, '# % 🌊.bin')), { code: 'ENOENT' })
    await rm(join(target, `.${ids[3]}-1-original.part`))
    assert.equal((await run(['download', String(ids[3]), target, '--original'])).code, 0)
  })

  test('does nothing outside of its folder, whatever files and folders are named', async () => {
    const { id } = await library.post('/folder', { body: { name: 'Hostile' } })
    const { id: up } = await library.post('/folder', { body: { name: '..', parent: id } })
    await library.waitUntilAvailable(await library.upload(new Blob(['x']), { folder: up, filename: 'x.txt' }))
    const target = join(disk, 'deep/inside')
    await expect.poll(async () => (await run(['download', 'Hostile', target])).last, { timeout: 300_000 }).toMatch(/downloaded 1|there 1/)
    assert.deepEqual(await readdir(join(disk, 'deep')), ['inside'])
    assert.deepEqual(await readdir(join(target, '_')), ['x.txt'])
  })
})
