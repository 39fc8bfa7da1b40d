import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, onTestFinished, test, vi } from 'vitest'
import { ObjectsUnavailable } from '../../../../shared/backends/objects/port.ts'
import { compressed, unpack } from '../../../../shared/backends/search/snapshots/frames.ts'
import { DamagedSnapshot, type IndexSnapshot } from '../../../../shared/backends/search/snapshots/port.ts'
import { skippedFor } from '../../../support/skipping.ts'

const MB = 1024 ** 2

const withZstd = skippedFor(spawnSync('zstd', ['--version']).status !== 0 && 'there is no zstd')

/** A file of which half can be compressed, or all. */
async function setUp(size: number, { isEmpty = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'frames-'))
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

  test('can be decompressed by the command zstd', withZstd, async () => {
    const { folder, content, stored } = await setUp(9 * MB)
    await writeFile(join(folder, 'file.zst'), stored)
    assert.ok(execFileSync('zstd', ['-dc', join(folder, 'file.zst')], { maxBuffer: 30 * MB }).equals(content))
  })

  test('fails with the error of the disk, also where later frames fail first', async () => {
    const { folder } = await setUp(1)
    const path = join(folder, 'failing')
    await writeFile(path, Buffer.alloc(37 * MB))
    await using any = await open(path)
    const files = Object.getPrototypeOf(any) as FileHandle
    const read = vi.spyOn(files, 'read').mockImplementation(async (...[, , , position]: unknown[]) => {
      await sleep(position === 0 ? 50 : 1)
      throw new Error('EIO')
    })
    onTestFinished(() => read.mockRestore())
    await assert.rejects(Array.fromAsync(compressed(path)), /EIO/)
  })

  test('is fetched in ranges at the same time, each once', async () => {
    const { stored, copy } = await setUp(60 * MB, { isEmpty: true })
    let [reads, running, most] = [0, 0, 0]
    const snapshot = snapshotOf(stored, 60 * MB, {
      async read(start, end) {
        reads++
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
        return Readable.from([stored.subarray(start, end + 1)])
      },
    })
    await unpack(snapshot, copy)
    assert.equal(reads, 1 + 8)
    assert.ok(most > 1, `${most} at a time`)
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
  test('is asked for no more than what is on its way', async () => {
    const { stored, copy } = await setUp(12 * 8 * MB, { isEmpty: true })
    let reads = 0
    const snapshot = snapshotOf(stored, 12 * 8 * MB, {
      async read(start, end) {
        reads++
        // The first read is of where the frames are.
        if (reads > 1 && start === 0) throw new DamagedSnapshot('gone')
        await new Promise((resolve) => setTimeout(resolve, 5))
        return Readable.from([stored.subarray(start, end + 1)])
      },
    })
    await assert.rejects(unpack(snapshot, copy), DamagedSnapshot)
    assert.equal(reads, 1 + 8)
  })

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
