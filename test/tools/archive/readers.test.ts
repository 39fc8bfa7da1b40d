import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { describe, test } from 'vitest'
import { EMBEDDED_PART_RULES } from '../../../shared/backends/objects/embedded-compositions.ts'
import { EntryNames } from '../../../shared/tools/archive/entry-names.ts'
import { localHeaderBytes } from '../../../shared/tools/archive/format.ts'
import type { ArchiveEntry } from '../../../shared/tools/archive/plan.ts'
import { planArchive } from '../../../shared/tools/archive/planner.ts'
import { behind, contentsOf, endOf, entriesOf, readers, type Sample, small, writer } from './readers.ts'
import { zeroFiles } from './zero-files.ts'

const MAX32 = 0xffffffff
const MODIFIED = Date.UTC(2026, 6, 31, 23, 59, 57)

const named = fileTree()
const sizes = [MAX32 - 1, MAX32, MAX32 + 1, 5e12].map((bytes) => ({ bytes, sample: behind(bytes) }))
const offsets = [MAX32 - 1, MAX32, MAX32 + 1].map((offset) => ({ offset, sample: behind(offset - localHeaderBytes(zeroFiles([0])[0]!)) }))

describe('archives, as others read them', () => {
  const written = writer()

  for (const { name, options, test: read } of readers) {
    test(`${name} reads names of all kinds, sizes and offsets behind 2^32`, options, async () => {
      for (const sample of [named, behind(MAX32 + 1)]) await read(await written(sample), sample.asked)
    })
  }

  test('files and folders have their names, bytes and times', async () => {
    const path = await written(named)
    const read = await contentsOf(path)
    assert.deepEqual(
      [...read].map(([name, bytes]) => [name, bytes.toString()]),
      named.entries.map(({ path }) => [path, named.objects?.get(path)?.toString() ?? '']),
    )
    const times = (await entriesOf(path)).map(({ modified }) => modified)
    assert.deepEqual(
      times,
      named.entries.map(({ modified }) => modified),
    )
    assert.equal((await endOf(path)).isZip64, false)
  })

  test('times are exact from 1901 to 2038, then those of DOS', async () => {
    const times = [Date.UTC(1901, 11, 14), 0, Date.UTC(2038, 0, 19, 3, 14, 7), Date.UTC(2038, 0, 19, 3, 14, 8), Date.UTC(2500, 0, 1)]
    const entries = times.map((modified, index): ArchiveEntry => ({ path: `${index}`, modified, bytes: 0, crc32: 0 }))
    assert.deepEqual(
      (await entriesOf(await written({ entries }))).map(({ modified }) => modified),
      [...times.slice(0, 4), Date.UTC(2107, 11, 31, 23, 59, 58)],
    )
  })

  test('nothing is a valid archive of 22 bytes', async () => {
    const path = await written({ entries: [] })
    assert.deepEqual([await entriesOf(path), await endOf(path)], [[], { isZip64: false, entries: 0, bytes: 22 }])
  })

  test.each([
    [2_000_000_000, false],
    [2_000_000_001, true],
  ])('%i bytes in all: ZIP64 is %s', async (total, isZip64) => {
    const overhead = planArchive(zeroFiles([1]), EMBEDDED_PART_RULES).bytes - 1
    const path = await written({ entries: zeroFiles([total - overhead]) })
    const end = await endOf(path)
    assert.deepEqual([end.isZip64, end.bytes], [isZip64, total + (isZip64 ? 76 : 0)])
    const [entry] = await entriesOf(path)
    assert.deepEqual([entry?.bytes, entry?.zip64], [total - overhead, { central: [], local: [] }])
  })

  test.each([
    [65_534, false],
    [65_535, true],
  ])('%i entries: ZIP64 is %s', async (count, isZip64) => {
    const end = await endOf(await written({ entries: zeroFiles(Array.from({ length: count }, () => 0)) }))
    assert.deepEqual([end.isZip64, end.entries], [isZip64, count])
  })

  test.each(sizes)('a file of $bytes bytes, and a small one behind it', async ({ bytes, sample }) => {
    const path = await written(sample)
    const [first, second] = await entriesOf(path)
    const offset = bytes + localHeaderBytes(sample.entries[0]!)
    assert.deepEqual([first?.bytes, second?.bytes, second?.offset], [bytes, small.bytes, offset])
    assert.deepEqual(first?.zip64, bytes < MAX32 ? { central: [], local: [] } : { central: [bytes, bytes, 0], local: [bytes, bytes] })
    assert.deepEqual(second?.zip64, { central: [small.bytes, small.bytes, offset], local: [] })
    assert.equal((await contentsOf(path, sample.asked)).get(small.path)?.toString(), 'small')
    assert.equal((await endOf(path)).isZip64, true)
  })

  test.each(offsets)('a file at $offset', async ({ offset, sample }) => {
    const path = await written(sample)
    const [, second] = await entriesOf(path)
    assert.deepEqual([second?.bytes, second?.offset], [small.bytes, offset])
    assert.deepEqual(second?.zip64, { central: offset < MAX32 ? [] : [small.bytes, small.bytes, offset], local: [] })
    assert.equal((await contentsOf(path, sample.asked)).get(small.path)?.toString(), 'small')
  })
})

/** Files and empty folders with names of all kinds. */
function fileTree(): Sample {
  const names = new EntryNames()
  const files = ['Zürich.txt', 'ZÜRICH.TXT', '写真.jpg', '🏔️.jpg', 'a:b?.txt', 'CON.txt', '../up.txt', ' .', '', 'صورة.png']
  const paths = [
    ...files.map((name) => `Ordner/${names.unique(name, 'file')}`),
    ...['Leer', 'leer', 'aux'].map((name) => `Ordner/${names.unique(name, 'folder')}/`),
  ]
  const objects = new Map(paths.slice(1, files.length).map((path, index) => [path, Buffer.from(`content ${index}`)]))
  const entries = paths.map((path, index): ArchiveEntry => {
    const content = objects.get(path)
    const modified = MODIFIED + 1000 * index
    return content ? { path, modified, bytes: content.length, crc32: crc32(content), key: path } : { path, modified, bytes: 0, crc32: 0 }
  })
  return { entries, objects }
}
