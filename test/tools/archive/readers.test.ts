import assert from 'node:assert/strict'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { EMBEDDED_PART_RULES } from '../../../shared/backends/objects/embedded-compositions.ts'
import { EntryNames } from '../../../shared/tools/archive/entry-names.ts'
import { localHeaderBytes } from '../../../shared/tools/archive/format.ts'
import type { ArchiveEntry, Segment } from '../../../shared/tools/archive/plan.ts'
import { planArchive } from '../../../shared/tools/archive/planner.ts'
import { contentsOf, entriesOf, programTests } from './readers.ts'
import { segmentsOf } from './segments.ts'
import { zeroFiles, zeroStorage } from './zero-files.ts'

const MAX32 = 0xffffffff
const MODIFIED = Date.UTC(2026, 6, 31, 23, 59, 57)

describe('archives, as others read them', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Writes an archive. Bytes of objects that aren't given are zeros, which take no room on the disk. */
  async function written(entries: readonly ArchiveEntry[], objects: ReadonlyMap<string, Buffer> = new Map()): Promise<string> {
    const path = join(folder, `${crypto.randomUUID()}.zip`)
    const file = await open(path, 'w')
    const sizes = new Map(entries.map(({ key = '', bytes }) => [key, bytes]))
    const zeros = zeroStorage(EMBEDDED_PART_RULES, [])
    const read = (segment: Segment) =>
      'bytes' in segment ? segment.bytes : objects.get(segment.key)?.subarray(segment.start, segment.end + 1)
    const crcOf = (segment: Segment) => {
      const bytes = read(segment)
      return bytes ? crc32(bytes) : zeros.crcOf(segment)
    }
    const plan = planArchive(entries, EMBEDDED_PART_RULES)
    let position = 0
    for (const segment of segmentsOf(plan, { rules: EMBEDDED_PART_RULES, sizeOf: (key) => sizes.get(key)!, crcOf })) {
      const bytes = read(segment)
      if (bytes) await file.write(bytes, 0, bytes.length, position)
      position += 'bytes' in segment ? segment.bytes.length : segment.end - segment.start + 1
    }
    assert.equal(position, plan.bytes)
    await file.truncate(position)
    await file.close()
    return path
  }

  /** The end of an archive: whether it is ZIP64, and the numbers that don't need ZIP64. */
  async function endOf(path: string): Promise<{ isZip64: boolean; entries: number; bytes: number; offset: number }> {
    const file = await open(path)
    const { size } = await file.stat()
    const end = Buffer.alloc(42)
    await file.read(end, { position: Math.max(0, size - 42), length: Math.min(42, size) })
    await file.close()
    const record = size < 42 ? 0 : 20
    assert.equal(end.readUInt32LE(record), 0x06054b50)
    const isZip64 = record > 0 && end.readUInt32LE(0) === 0x07064b50
    return { isZip64, entries: end.readUInt16LE(record + 10), bytes: size, offset: end.readUInt32LE(record + 16) }
  }

  describe('of a folder with names of all kinds', () => {
    let path: string
    const contents = new Map<string, string>()
    beforeAll(async () => {
      const names = new EntryNames()
      const wanted = [
        'Zürich.txt',
        'Zu\u0308rich.txt',
        'ZÜRICH.TXT',
        '写真.jpg',
        '🏔️.jpg',
        'a:b?.txt',
        'CON.txt',
        '../up.txt',
        ' .',
        '',
        'صورة.png',
      ]
      for (const [index, name] of wanted.entries())
        contents.set(`Ordner/${names.unique(name, 'file')}`, index === 0 ? '' : `content ${index}`)
      for (const name of ['Leer', 'leer', 'aux']) contents.set(`Ordner/${names.unique(name, 'folder')}/`, '')
      const entries = [...contents].map(([path, content], index): ArchiveEntry => {
        const bytes = Buffer.byteLength(content)
        return { path, modified: MODIFIED + 1000 * index, bytes, crc32: crc32(content), ...(bytes > 0 && { key: path }) }
      })
      path = await written(entries, new Map([...contents].map(([path, content]) => [path, Buffer.from(content)])))
    })

    test('yauzl', async () => {
      const read = await contentsOf(path)
      assert.deepEqual(new Map([...read].map(([name, bytes]) => [name, bytes.toString()])), contents)
      const entries = await entriesOf(path)
      assert.deepEqual(
        entries.map(({ modified }) => modified),
        entries.map((_, index) => MODIFIED + 1000 * index),
      )
      assert.equal((await endOf(path)).isZip64, false)
    })

    for (const { name, options, test: read } of programTests) test(name, options, () => read(path))
  })

  test('nothing is a valid archive of 22 bytes', async () => {
    const path = await written([])
    assert.deepEqual([await entriesOf(path), await endOf(path)], [[], { isZip64: false, entries: 0, bytes: 22, offset: 0 }])
  })

  describe('of 70,000 files', () => {
    let path: string
    beforeAll(async () => {
      path = await written(zeroFiles(Array.from({ length: 70_000 }, (_, index) => index % 3)))
    })

    test('yauzl', async () => {
      const entries = await entriesOf(path)
      assert.equal(entries.length, 70_000)
      assert.equal(new Set(entries.map(({ path }) => path)).size, 70_000)
    })

    for (const { name, options, test: read } of programTests) test(name, options, () => read(path))
  })

  test.each([
    [65_534, false],
    [65_535, true],
    [65_536, true],
  ])('%i entries: ZIP64 is %s', async (count, isZip64) => {
    const path = await written(zeroFiles(Array.from({ length: count }, () => 0)))
    const end = await endOf(path)
    assert.deepEqual([end.isZip64, end.entries], [isZip64, Math.min(count, 0xffff)])
    assert.equal((await entriesOf(path)).length, count)
  })

  test.each([
    [2_000_000_000, false],
    [2_000_000_001, true],
  ])('%i bytes in all: ZIP64 is %s', async (total, isZip64) => {
    const overhead = planArchive(zeroFiles([1]), EMBEDDED_PART_RULES).bytes - 1
    const path = await written(zeroFiles([total - overhead]))
    const end = await endOf(path)
    assert.deepEqual([end.isZip64, end.bytes], [isZip64, total + (isZip64 ? 76 : 0)])
    const [entry] = await entriesOf(path)
    assert.deepEqual([entry?.bytes, entry?.zip64], [total - overhead, { central: [], local: [] }])
  })

  describe.each([
    ['a size of 2^32 - 2', MAX32 - 1, []],
    ['a size of 2^32 - 1', MAX32, [MAX32, MAX32]],
    ['a size of 2^32', MAX32 + 1, [MAX32 + 1, MAX32 + 1]],
    ['a size of 5 TB', 5e12, [5e12, 5e12]],
  ])('%s', (_, bytes, sizes) => {
    test('needs the ZIP64 field, or does not; the file behind it has its bytes', async () => {
      const [large, small] = [zeroFiles([bytes])[0]!, smallFile()]
      const path = await written([large, small.entry], small.objects)
      const [first, second] = await entriesOf(path)
      assert.deepEqual([first?.bytes, first?.crc32, first?.zip64], [bytes, large.crc32, { central: sizes, local: sizes }])
      assert.deepEqual([second?.offset, second?.zip64], [bytes + localHeaderBytes(large), { central: [second?.offset], local: [] }])
      assert.equal((await contentsOf(path, (entry) => entry.fileName === 'small.txt')).get('small.txt')?.toString(), 'small')
      assert.equal((await endOf(path)).isZip64, true)
    })
  })

  test.each([
    [MAX32 - 1, []],
    [MAX32, [MAX32]],
    [MAX32 + 1, [MAX32 + 1]],
  ])('a file at %i', async (offset, numbers) => {
    const [empty] = zeroFiles([0])
    const [large] = zeroFiles([offset - localHeaderBytes(empty!)])
    const small = smallFile()
    const path = await written([large!, small.entry], small.objects)
    const entry = (await entriesOf(path))[1]
    assert.deepEqual([entry?.offset, entry?.zip64], [offset, { central: numbers, local: [] }])
    assert.equal((await contentsOf(path, ({ fileName }) => fileName === 'small.txt')).get('small.txt')?.toString(), 'small')
  })
})

function smallFile(): { entry: ArchiveEntry; objects: Map<string, Buffer> } {
  const content = Buffer.from('small')
  const entry = { path: 'small.txt', modified: MODIFIED, bytes: content.length, crc32: crc32(content), key: 'small' }
  return { entry, objects: new Map([['small', content]]) }
}
