import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, onTestFinished, test } from 'vitest'
import { ObjectsUnavailable } from '../../../../shared/backends/objects/port.ts'
import { compressed, unpack } from '../../../../shared/backends/search/snapshots/compressed-file.ts'
import { DamagedSnapshot, type IndexSnapshot } from '../../../../shared/backends/search/snapshots/port.ts'

const MB = 1024 ** 2

/** A file of which half can be compressed, or all. */
async function setUp(size: number, { isEmpty = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'compressed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  const content = Buffer.alloc(size)
  if (!isEmpty) for (let at = 0; at < size; at += 2 * 4096) randomBytes(Math.min(4096, size - at)).copy(content, at)
  await writeFile(path, content)
  const stored = Buffer.concat(await Array.fromAsync(compressed(path)))
  return { folder, content, stored, copy: join(folder, 'copy') }
}

/** A snapshot with these bytes in storage. */
function snapshotOf(stored: Buffer, bytes: number, given: Partial<IndexSnapshot> = {}): IndexSnapshot {
  const read = async (start: number, end: number) => Readable.from([stored.subarray(start, end + 1)])
  return { name: 'a', asOf: 0, bytes, stored: stored.length, read, ...given }
}

describe('a compressed file', () => {
  test.for([1, 8 * MB, 8 * MB + 1, 20 * MB])('of %i bytes is what it was', async (size) => {
    const { content, stored, copy } = await setUp(size)
    await unpack(snapshotOf(stored, size), copy)
    assert.ok(content.equals(await readFile(copy)))
  })
})

describe('a damaged copy', () => {
  test('never becomes a wrong file, wherever a bit is wrong', async () => {
    const { folder, content, stored } = await setUp(9 * MB)
    const last = stored.length - 1
    const places = [0, 5, 100, MB, 3 * MB, last, last - 4, last - 8, last - 11, last - 19, last - 30]
    const harmless: number[] = []
    for (const place of places) {
      const wrong = Buffer.from(stored)
      wrong[place]! ^= 0x10
      const copy = join(folder, `copy-${place}`)
      try {
        await unpack(snapshotOf(wrong, 9 * MB), copy)
        harmless.push(place)
        assert.ok(content.equals(await readFile(copy)), `byte ${place}`)
      } catch (error) {
        if (!(error instanceof DamagedSnapshot)) throw error
      }
      await rm(copy, { force: true })
    }
    // Bits of headers that say nothing of the content.
    assert.ok(harmless.length < 4, `not noticed: ${harmless}`)
  })

  test('is noticed when it is cut off, empty, something else, or of another size', async () => {
    const { folder, stored } = await setUp(9 * MB)
    const cases: [string, IndexSnapshot][] = [
      ['cut', snapshotOf(stored.subarray(0, stored.length - 100), 9 * MB)],
      ['shorter than the record says', snapshotOf(stored.subarray(0, MB), 9 * MB, { stored: stored.length })],
      ['text', snapshotOf(Buffer.from('no snapshot'), 9 * MB)],
      ['one byte', snapshotOf(Buffer.from('1'), 9 * MB)],
      ['another size', snapshotOf(stored, 9 * MB + 1)],
      ['zeros', snapshotOf(Buffer.alloc(5000), 0)],
    ]
    for (const [name, snapshot] of cases) await assert.rejects(unpack(snapshot, join(folder, name)), DamagedSnapshot, name)
  })
})

describe('storage that fails', () => {
  test('is asked again where a connection breaks off', async () => {
    const { content, stored, copy } = await setUp(9 * MB)
    const failed = new Set<number>()
    const snapshot = snapshotOf(stored, 9 * MB, {
      async read(start, end) {
        if (failed.has(start)) return Readable.from([stored.subarray(start, end + 1)])
        failed.add(start)
        return Readable.from(
          (async function* () {
            yield stored.subarray(start, start + 10)
            throw new Error('connection reset')
          })(),
        )
      },
    })
    await unpack(snapshot, copy)
    assert.ok(content.equals(await readFile(copy)))
  })

  test('is no damage', async () => {
    const { stored, copy } = await setUp(MB)
    const snapshot = snapshotOf(stored, MB, { read: () => Promise.reject(new Error('down')) })
    await assert.rejects(unpack(snapshot, copy), ObjectsUnavailable)
  })
})
