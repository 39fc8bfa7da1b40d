import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { PictureCache } from '../../../../../infra/local/delivery/links/picture-cache.ts'
import { systemClock } from '../../../../../shared/backends/clock/port.ts'
import { jsonLog } from '../../../../../shared/log/json-log.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

const KIB = 1024

describe('the cache of pictures', () => {
  let folder: string
  let offset: number
  const warnings: string[] = []
  const clock = { ...systemClock, now: () => Date.now() + offset }
  const open = (maxBytes = 1024 * KIB, directory = folder) =>
    new PictureCache({ directory, maxBytes, clock, log: jsonLog((line) => warnings.push(line)) })

  beforeEach(() => {
    folder = join(temporaryDirectory(), 'cache')
    offset = 0
    warnings.length = 0
  })

  const picture = (etag: string, bytes = etag.length, text = etag) => ({ etag, mime: 'image/webp', data: Buffer.alloc(bytes, text) })

  /** Paths of all files of the cache, and the bytes that they take together. */
  async function onDisk(): Promise<{ files: string[]; bytes: number }> {
    const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size))
    return { files, bytes: sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0) }
  }

  /** Which of these a cache that was opened anew has on its disk. */
  async function keptOnDisk(keys: readonly string[], maxBytes?: number): Promise<string[]> {
    const cache = open(maxBytes)
    const found = await Promise.all(keys.map(async (key) => ((await cache.get(key)) ? key : undefined)))
    await cache.close()
    return found.filter((key) => key !== undefined)
  }

  test('a picture outlives a restart, with all that was known of it', async () => {
    const before = open()
    const data = Buffer.from([0x0a, 0, 0xff, 0x0a, ...Array(5000).fill(7)])
    before.put({ ...picture('a'), data })
    const made = (await before.get('a'))?.made
    await before.close()
    const after = open()
    assert.deepEqual(await after.get('a'), { mime: 'image/webp', etag: 'a', data, made })
    await after.close()
  })

  test('a thousand pictures take no more than they may, at any time', async () => {
    const most = 512 * KIB
    const cache = open(most)
    for (let width = 1; width <= 1_000; width++) {
      cache.put(picture(`link?width=${width}`, 5000))
      if (width % 100 !== 0) continue
      await cache.close()
      assert.ok((await onDisk()).bytes <= most)
    }
    assert.ok((await onDisk()).files.length > 50)
    assert.deepEqual(warnings, [])
    // Those put last are there.
    assert.deepEqual(await keptOnDisk(['link?width=1', 'link?width=999', 'link?width=1000'], most), ['link?width=999', 'link?width=1000'])
  })

  test('what was used longest ago goes first', async () => {
    const cache = open(12 * KIB)
    for (const key of ['a', 'b', 'c']) {
      cache.put(picture(key))
      await cache.close()
    }
    await cache.get('a')
    cache.put(picture('d'))
    await cache.close()
    assert.deepEqual(await keptOnDisk(['a', 'b', 'c', 'd']), ['a', 'c', 'd'])
  })

  test('a crash in the middle of a write leaves nothing behind', async () => {
    const before = open()
    before.put(picture('a'))
    await before.close()
    const [file] = (await onDisk()).files
    await writeFile(`${file}.0e37df36-f698-11e6-8dd4-cb9ced3df976`, 'half a pict')
    await mkdir(join(folder, 'zz'))
    const after = open()
    await after.close()
    assert.deepEqual((await onDisk()).files, [file])
  })

  test('a damaged file is no picture, and is replaced', async () => {
    const cache = open()
    cache.put(picture('a', 50_000))
    await cache.close()
    const [file] = (await onDisk()).files
    for (const damage of [
      () => truncate(file!, 20_000),
      () => truncate(file!, 0),
      () => writeFile(file!, '{"etag":"a"}\nnothing'),
      async () => writeFile(file!, (await readFile(file!)).fill(0, 1000, 2000)),
    ]) {
      await damage()
      const fresh = open()
      assert.equal(await fresh.get('a'), undefined)
      fresh.put(picture('a', 50_000))
      await fresh.close()
      assert.deepEqual(await keptOnDisk(['a']), ['a'])
    }
  })

  test('the file of another key is no picture of this one', async () => {
    const cache = open()
    cache.put(picture('a'))
    await cache.close()
    const [a] = (await onDisk()).files
    const bytes = await readFile(a!)
    cache.put(picture('b'))
    await cache.close()
    const b = (await onDisk()).files.find((path) => path !== a)
    await writeFile(b!, bytes)
    assert.deepEqual(await keptOnDisk(['a', 'b']), ['a'])
  })

  test('of a large picture the place in its file is told, not its bytes', async () => {
    const cache = open(64 * KIB * KIB)
    const large = picture('large', 1024 * KIB + 5000)
    large.data.write('first', 0)
    large.data.write('last!', large.data.length - 5)
    cache.put(large)
    await cache.close()
    const kept = await cache.get('large')
    assert.ok(kept && !(kept.data instanceof Uint8Array))
    const { path, start, length } = kept.data
    assert.ok((await readFile(path)).subarray(start, start + length).equals(large.data))
    assert.deepEqual(await keptOnDisk(['large'], 64 * KIB * KIB), ['large'])
    await truncate(path, start + length - 1)
    assert.equal(await cache.get('large'), undefined)
  })
})
