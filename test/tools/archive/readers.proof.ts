import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { localHeaderBytes } from '../../../shared/tools/archive/format.ts'
import { behind, endOf, entriesOf, readers, type Sample, writer } from './readers.ts'
import { zeroFiles } from './zero-files.ts'

const MAX32 = 0xffffffff

const emptyFiles = (count: number): Sample => ({ entries: zeroFiles(Array.from({ length: count }, () => 0)) })
const sizes = [MAX32 - 1, MAX32, MAX32 + 1, 5e12]
const offsets = [MAX32 - 1, MAX32, MAX32 + 1].map((offset) => offset - localHeaderBytes(zeroFiles([0])[0]!))

describe('large archives, as others read them', () => {
  const written = writer()

  for (const { name, options, test: read } of readers) {
    test(`${name} reads 70,000 entries, and sizes and offsets around 2^32`, options, async () => {
      for (const sample of [emptyFiles(70_000), ...[...sizes, ...offsets].map(behind)]) await read(await written(sample), sample.asked)
    })
  }

  test.each([
    [65_534, false],
    [65_535, true],
    [65_536, true],
  ])('%i entries: ZIP64 is %s', async (count, isZip64) => {
    const path = await written(emptyFiles(count))
    const end = await endOf(path)
    assert.deepEqual([end.isZip64, end.entries], [isZip64, Math.min(count, 0xffff)])
    assert.equal((await entriesOf(path)).length, count)
  })
})
