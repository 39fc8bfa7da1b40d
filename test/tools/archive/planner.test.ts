import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { EMBEDDED_PART_RULES } from '../../../shared/backends/objects/embedded-compositions.ts'
import { S3_PART_RULES } from '../../../shared/backends/objects/s3-multipart.ts'
import { type ArchiveEntry, ArchiveTooLarge, type PartRules, type Segment } from '../../../shared/tools/archive/plan.ts'
import { planArchive } from '../../../shared/tools/archive/planner.ts'
import { noWork, segmentsOf, type Work } from './segments.ts'
import { zeroFiles, zeroStorage } from './zero-files.ts'

const [KIB, MIB, GIB] = [2 ** 10, 2 ** 20, 2 ** 30]
/** Repeats in no power of two. */
const PATTERN = Buffer.from(Array.from({ length: 251 }, (_, at) => (at * 7) % 251))
const MODIFIED = Date.UTC(2026, 0, 31, 12, 34, 57)

/** An archive of files whose bytes differ, in memory. */
function library(files: readonly { path: string; bytes: number; modified: number }[]) {
  const objects = new Map<string, Buffer>()
  const entries = files.map(({ path, bytes, modified }, index): ArchiveEntry => {
    if (bytes === 0) return { path, modified, bytes, crc32: 0 }
    const content = Buffer.alloc(bytes, PATTERN.subarray(index % 200))
    objects.set(`object ${index}`, content)
    return { path, modified, bytes, crc32: crc32(content), key: `object ${index}`, etag: `${index}` }
  })
  const read = (segment: Segment) =>
    'bytes' in segment ? segment.bytes : objects.get(segment.key)!.subarray(segment.start, segment.end + 1)
  return {
    assembled(rules: PartRules, work = noWork()): Buffer {
      const storage = { rules, sizeOf: (key: string) => objects.get(key)!.length, crcOf: (segment: Segment) => crc32(read(segment)) }
      return Buffer.concat([...segmentsOf(planArchive(entries, rules), storage, work)].map(read))
    },
  }
}

/** What it takes to make an archive of files of zeros, of these sizes. */
function workOn(sizes: readonly number[], rules = S3_PART_RULES): Work {
  const work = noWork()
  const plan = planArchive(zeroFiles(sizes), rules)
  for (const _ of segmentsOf(plan, zeroStorage(rules, sizes), work));
  return work
}

const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)

/** Files around the sizes by which the planner decides, and many large ones, between which there is too little. */
function filesFor({ minBytes, maxBytes }: PartRules) {
  const edges = [0, 1, minBytes - 1, minBytes, minBytes + 1, 3 * minBytes, 4 * minBytes, maxBytes - minBytes, maxBytes, maxBytes + 1]
  const bytes = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 5 * minBytes }), fc.integer({ min: 0, max: 2 * maxBytes }))
  const path = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  const modified = fc.integer({ min: Date.UTC(1980, 0, 1) / 1000, max: 0x7fffffff }).map((seconds) => 1000 * seconds)
  const file = fc.record({ path, bytes, modified })
  const folder = fc.record({ path: path.map((name) => `${name}/`), bytes: fc.constant(0), modified })
  const large = fc.record({ path, bytes: fc.integer({ min: 4 * minBytes, max: 6 * minBytes }), modified })
  const mixed = fc.array(fc.oneof({ weight: 5, arbitrary: file }, folder), { maxLength: 40 })
  return fc.tuple(mixed, fc.array(large, { maxLength: 60, size: 'max' }), mixed).map((parts) => parts.flat())
}

describe('plans of archives', () => {
  test('keep every rule of storage, and make the archive that is made without rules, which others read', () => {
    const rules = fc.record({ minBytes: fc.integer({ min: 2, max: 600 }), times: fc.integer({ min: 4, max: 20 }) })
    const cases = rules
      .map(({ minBytes, times }) => ({ minBytes, maxBytes: minBytes * times, maxParts: 10_000, minRangeSourceBytes: minBytes }))
      .chain((rules) => fc.record({ rules: fc.constant(rules), files: filesFor(rules) }))
    let stitched = 0
    fc.assert(
      fc.property(cases, ({ rules, files }) => {
        const { assembled } = library(files)
        const work = noWork()
        assert.ok(assembled(EMBEDDED_PART_RULES).equals(assembled(rules, work)))
        if (work.objects.size > 1) stitched += 1
      }),
      { numRuns: 100 },
    )
    assert.ok(stitched > 5, `${stitched} plans appended bytes to a file`)
  })

  test('divide an archive of too many parts into objects', () => {
    const cases = fc
      .record({ minBytes: fc.integer({ min: 400, max: 800 }), maxParts: fc.integer({ min: 30, max: 50 }) })
      .map(({ minBytes, maxParts }) => ({ minBytes, maxBytes: minBytes * 100, maxParts, minRangeSourceBytes: minBytes }))
      .chain((rules) =>
        fc.record({
          rules: fc.constant(rules),
          sizes: fc.array(fc.integer({ min: 0, max: 8 * rules.minBytes }), { minLength: 20, maxLength: 150, size: 'max' }),
        }),
      )
    let divided = 0
    fc.assert(
      fc.property(cases, ({ rules, sizes }) => {
        const { assembled } = library(sizes.map((bytes, index) => ({ path: `${index}`, bytes, modified: MODIFIED })))
        const work = noWork()
        assert.ok(assembled(EMBEDDED_PART_RULES).equals(assembled(rules, work)))
        if (work.objects.has('section-000001')) divided += 1
      }),
      { numRuns: 40 },
    )
    assert.ok(divided > 15, `${divided} plans were divided`)
  })

  test('let few bytes through the caller', () => {
    const hundredGigabytes = workOn(times(5_000, 20_000_000))
    assert.ok(hundredGigabytes.throughCaller < 30e6, `${hundredGigabytes.throughCaller} bytes of 100 GB`)
    const few = workOn(times(20, 20_000_000))
    assert.deepEqual([few.throughCaller < 105 * MIB, few.objects.size], [true, 1], 'a few large files only lend bytes')
    const first = workOn([30 * GIB, ...times(200, 20 * MIB)])
    assert.ok(first.throughCaller < 30 * MIB, 'the first file lends, the second passes through')
  })

  test('without rules only small files pass through the caller', () => {
    const sizes = [6 * GIB, 50 * KIB, 300 * KIB, 0, 64 * KIB - 1, 64 * KIB]
    const work = workOn(sizes, EMBEDDED_PART_RULES)
    assert.deepEqual([work.objects.size, work.parts], [1, 7])
    assert.ok(work.throughCaller < 115 * KIB)
  })

  test.each([
    ['nothing', []],
    ['5 MiB and a byte', [5 * MIB + 1]],
    ['16 MiB many times', times(100, 16 * MIB)],
    ['5 GiB and a byte many times', times(100, 5 * GIB + 1)],
    ['5 GiB without the least part', [5 * GIB - 5 * MIB, 5 * GIB - 5 * MIB + 1, 5 * GIB - 5 * MIB - 1]],
    ['5 TiB', [5 * 2 ** 40]],
    ['5 TiB behind many', [...times(30, 20 * MIB), 5 * 2 ** 40, 1, 20 * MIB]],
    ['small ones between large ones', times(100, [20 * MIB, 4 * MIB, 20 * MIB, 5 * MIB, 0]).flat()],
    ['70,000 small ones', times(70_000, 1_000)],
    ['30,000 large ones among small ones', times(30_000, [20 * MIB, 6 * MIB]).flat()],
  ])('keep the rules of S3: %s', (_, sizes) => {
    assert.ok(workOn(sizes).objects.has('archive'))
  })

  test('more than 10,000 parts of large files become two objects at most', () => {
    const work = workOn(times(12_000, 20 * MIB))
    assert.deepEqual([work.objects.has('section-000000'), work.objects.has('section-000001')], [true, false])
  })

  test('an archive that takes more parts of parts than storage accepts is refused', () => {
    const rules = { minBytes: 100, maxBytes: 1_000, maxParts: 10, minRangeSourceBytes: 100 }
    assert.throws(() => planArchive(zeroFiles(times(200, 900)), rules), ArchiveTooLarge)
    assert.throws(() => planArchive(zeroFiles([20_000]), rules), ArchiveTooLarge)
    assert.doesNotThrow(() => planArchive(zeroFiles(times(4, 900)), rules))
  })

  test('a path that is too long for the format is refused', () => {
    const entry = { modified: MODIFIED, bytes: 0, crc32: 0 }
    assert.throws(() => planArchive([{ ...entry, path: 'ä'.repeat(32_768) }], S3_PART_RULES), ArchiveTooLarge)
    const longest = planArchive([{ ...entry, path: 'a'.repeat(65_535) }], S3_PART_RULES)
    assert.equal([...longest.parts()][0]?.bytes, longest.bytes)
  })
})
