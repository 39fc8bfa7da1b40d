import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'
import { KeptFiles } from '../../shared/tools/kept-files.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const BYTES = 1_000

function open(maxBytes = 3 * BYTES) {
  const parent = temporaryDirectory()
  const files = new KeptFiles({ maxBytes, parent })
  onTestFinished(() => files.close())
  const fetched: string[] = []
  const fetchOf = (name: string) => async (path: string) => {
    fetched.push(name)
    await writeFile(path, name.padEnd(BYTES), { flag: 'wx' })
  }
  const use = (name: string, fetch = fetchOf(name)) => files.use(name, BYTES, fetch)
  /** What is on the disk, but for what is in use. */
  const kept = async () => {
    const [directory] = await readdir(parent)
    const entries = await readdir(join(parent, directory!), { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(parent, directory!, name))
  }
  return { files, fetched, fetchOf, use, kept, parent }
}

const textOf = async (path: string) => (await readFile(path, 'utf8')).trimEnd()

async function used(file: Promise<{ path: string } & AsyncDisposable>): Promise<string> {
  await using it = await file
  return await textOf(it.path)
}

describe('kept files', () => {
  test('are fetched once, also for those who ask at the same time', async () => {
    const { use, fetched } = open()
    const texts = await Promise.all(Array.from({ length: 10 }, () => used(use('a'))))
    assert.deepEqual(new Set(texts), new Set(['a']))
    assert.equal(await used(use('a')), 'a')
    assert.deepEqual(fetched, ['a'])
  })

  test('whose size is not known make their room afterwards', async () => {
    const { files, use, fetchOf, kept } = open()
    for (const name of ['a', 'b', 'c']) await used(use(name))
    assert.equal(await used(files.use('d', 0, fetchOf('d'))), 'd')
    assert.equal((await kept()).length, 3)
  })

  test('take no more than their bytes: those that were used longest ago go', async () => {
    const { use, fetched, kept } = open()
    for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) assert.equal(await used(use(name)), name)
    assert.deepEqual(fetched, ['a', 'b', 'c', 'd', 'b'])
    assert.equal((await kept()).length, 3)
  })

  test('stay for who uses them, whatever else comes', async () => {
    const { use } = open(BYTES)
    await using held = await use('a')
    for (const name of ['b', 'c']) await used(use(name))
    assert.equal(await textOf(held.path), 'a')
  })

  test('larger than all of their room are used, and gone with the next', async () => {
    const { use, kept } = open(BYTES / 2)
    assert.equal(await used(use('a')), 'a')
    assert.equal(await used(use('b')), 'b')
    assert.equal((await kept()).length, 1)
  })

  test('of a failed fetch leave nothing, and are fetched again', async () => {
    const { use, fetched, kept } = open()
    const failing = use('a', async (path) => {
      await writeFile(path, 'half')
      throw new Error('cut off')
    })
    await assert.rejects(failing, /cut off/)
    assert.deepEqual(await kept(), [])
    assert.equal(await used(use('a')), 'a')
    assert.deepEqual(fetched, ['a'])
  })

  test('make room where the disk is full', async () => {
    const { use, fetchOf, kept } = open()
    for (const name of ['a', 'b']) await used(use(name))
    const full = use('c', async (path) => {
      if ((await kept()).length > 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      await fetchOf('c')(path)
    })
    assert.equal(await used(full), 'c')
    assert.equal((await kept()).length, 1)
  })

  test('that somebody removed are fetched again', async () => {
    const { use, fetched, kept, parent } = open()
    await used(use('a'))
    for (const path of await kept()) await rm(path)
    assert.equal(await used(use('a')), 'a')
    assert.deepEqual(fetched, ['a', 'a'])
    for (const name of await readdir(parent)) await rm(join(parent, name), { recursive: true })
    for (const name of ['a', 'b']) assert.equal(await used(use(name)), name)
  })

  test('leave nothing of their uses behind', async () => {
    const { use, parent } = open()
    await Promise.all(['a', 'b', 'a', 'b'].map((name) => used(use(name))))
    const [directory] = await readdir(parent)
    assert.equal((await readdir(join(parent, directory!))).length, 2)
  })
})
