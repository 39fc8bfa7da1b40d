import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { CompositionMissing, type Part } from '../../../shared/backends/objects/port.ts'
import { expectationOf, inOrder, numbered, stored } from './compositions-contract.ts'
import { bytes, text } from './contract.ts'
import { bucketOfTest } from './temporary-objects.ts'

const labels = { contentType: 'application/zip' }
const MiB = 1024 ** 2
const DAY = 24 * 60 * 60 * 1000

describe('compositions of the embedded bucket', () => {
  test('bytes that a crash left behind the parts are cut off', async () => {
    const { directory, objects } = await bucketOfTest()
    const composition = await objects.beginComposition('longer', labels)
    await objects.storeParts(composition, numbered([Buffer.from('part')]))
    const [file] = await readdir(join(directory, 'composing'))
    await appendFile(join(directory, 'composing', file!), 'and half of another')
    await objects.completeComposition(composition, expectationOf(Buffer.from('part')))
    assert.equal(await text((await objects.get('longer')).stream), 'part')
  })

  test('large copies take no space of their own, and stay when their sources go', async () => {
    const { objects, directory } = await bucketOfTest()
    const sources = [randomBytes(MiB), randomBytes(2 * MiB)]
    for (const [n, source] of sources.entries()) await objects.put(`source ${n}`, source, labels)
    const whole = Buffer.concat([Buffer.from('head'), sources[0]!, Buffer.from('between'), sources[1]!.subarray(10)])
    const composition = await objects.beginComposition('composed', labels)
    const parts: Part[] = [
      { number: 1, bytes: Buffer.from('head') },
      { number: 2, copy: 'source 0', size: MiB },
      { number: 3, bytes: Buffer.from('between') },
      { number: 4, copy: 'source 1', start: 10, end: 2 * MiB - 1 },
    ]
    await objects.storeParts(composition, inOrder(parts))
    // Kept by the parts, then by the object.
    await objects.delete(['source 0'])
    await objects.completeComposition(composition, expectationOf(whole))
    await objects.put('source 1', Buffer.from('replaced'), labels)
    assert.ok((await bytes((await objects.get('composed')).stream)).equals(whole))
    assert.ok((await diskBytes(directory)) < 3 * MiB + 1000)

    // As a source it is read: its copies have bytes of their own.
    const copied = await objects.copy({ key: 'composed' }, 'copied', labels)
    assert.equal(copied.bytes, whole.length)
    await objects.fetch('composed', join(directory, 'fetched'))
    assert.ok((await readFile(join(directory, 'fetched'))).equals(whole))
    await rm(join(directory, 'fetched'))
    const again = await objects.beginComposition('again', labels)
    await objects.storeParts(again, inOrder([{ number: 1, copy: 'composed', start: 1, end: whole.length - 1 }]))
    await objects.completeComposition(again, expectationOf(whole.subarray(1)))

    // The last who refers to a file takes it along.
    await objects.delete(['composed', 'source 1'])
    assert.ok((await bytes((await objects.get('copied')).stream)).equals(whole))
    assert.ok((await bytes((await objects.get('again')).stream)).equals(whole.subarray(1)))
    await objects.delete(['copied', 'again'])
    assert.deepEqual(await filesOf(directory), [])
  })

  test('any range of an object of large copies is that of its bytes', async () => {
    const { objects } = await bucketOfTest()
    const source = randomBytes(300_000)
    await objects.put('source', source, labels)
    const composition = await objects.beginComposition('ranges', labels)
    const copy = { copy: 'source', start: 1_000, end: 199_999 }
    await objects.storeParts(
      composition,
      inOrder([copy, { bytes: Buffer.from('between') }, copy].map((part, n) => ({ number: n + 1, ...part }))),
    )
    const piece = source.subarray(1_000, 200_000)
    const whole = Buffer.concat([piece, Buffer.from('between'), piece])
    await objects.completeComposition(composition, expectationOf(whole))
    const position = fc.nat({ max: whole.length - 1 })
    await fc.assert(
      fc.asyncProperty(position, position, async (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const { stream, bytes: all } = await objects.get('ranges', { start, end })
        assert.equal(all, whole.length)
        assert.ok((await bytes(stream)).equals(whole.subarray(start, end + 1)))
      }),
      { numRuns: 50 },
    )
  })

  test('a completion while another writer appends makes an object that does not change', async () => {
    const { objects, directory } = await bucketOfTest()
    const composition = await objects.beginComposition('disturbed', labels)
    await objects.storeParts(composition, numbered([Buffer.from('part')]))
    async function* completedMeanwhile(): AsyncGenerator<Part> {
      yield { number: 2, bytes: Buffer.from('late') }
      await objects.completeComposition(composition, expectationOf(Buffer.from('part')))
      yield { number: 3, bytes: Buffer.from('later') }
    }
    await assert.rejects(objects.storeParts(composition, completedMeanwhile()), CompositionMissing)
    assert.equal(await text((await objects.get('disturbed')).stream), 'part')
    assert.equal((await filesOf(directory)).length, 1)
  })

  test('unfinished compositions go after a week, by the clock of the bucket, and younger ones stay', async () => {
    const { directory, objects } = await bucketOfTest()
    const began = Date.now()
    const composition = await objects.beginComposition('old', labels)
    await objects.storeParts(composition, numbered([Buffer.from('part')]))
    openEmbeddedObjects(directory, { ...systemClock, now: () => began + 6.9 * DAY }).close()
    assert.equal((await stored(objects, composition)).length, 1)
    openEmbeddedObjects(directory, { ...systemClock, now: () => began + 7.1 * DAY }).close()
    await assert.rejects(stored(objects, composition), CompositionMissing)
    assert.deepEqual(await filesOf(directory), [])
  })
})

/** Bytes of the bucket's files but its index. */
async function diskBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('index.db'))
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Files of the bucket but its index. */
async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('index.db')).map(({ name }) => name)
}
