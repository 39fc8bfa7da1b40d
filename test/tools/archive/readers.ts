import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterAll } from 'vitest'
import yauzl, { type ExtraField, type ZipFile } from 'yauzl'
import { EMBEDDED_PART_RULES } from '../../../shared/backends/objects/embedded-compositions.ts'
import type { ArchiveEntry, Segment } from '../../../shared/tools/archive/plan.ts'
import { planArchive } from '../../../shared/tools/archive/planner.ts'
import { skippedFor } from '../../support/skipping.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { segmentsOf } from './segments.ts'
import { zeroFiles, zeroStorage } from './zero-files.ts'

/** An archive. Objects that aren't given hold zeros. */
export interface Sample {
  entries: readonly ArchiveEntry[]
  objects?: ReadonlyMap<string, Buffer>
  /** Entries to read where all would be too much. */
  asked?: string[]
}

const MODIFIED = Date.UTC(2026, 6, 31, 23, 59, 57)

export const small: ArchiveEntry = { path: 'small.txt', modified: MODIFIED, bytes: 5, crc32: crc32('small'), key: 'small' }

/** A small file behind one of so many zeros. */
export function behind(bytes: number): Sample {
  return { entries: [...zeroFiles([bytes]), small], objects: new Map([['small', Buffer.from('small')]]), asked: [small.path] }
}

/** What writes the archives of a file's tests. Zeros take no room on the disk. */
export function writer(): (sample: Sample) => Promise<string> {
  const folder = temporaryDirectory(afterAll)
  return async ({ entries, objects }) => {
    const path = join(folder, `${crypto.randomUUID()}.zip`)
    await using file = await open(path, 'w')
    const sizes = new Map(entries.map(({ key = '', bytes }) => [key, bytes]))
    const zeros = zeroStorage(EMBEDDED_PART_RULES, [])
    const read = (segment: Segment) =>
      'bytes' in segment ? segment.bytes : objects?.get(segment.key)?.subarray(segment.start, segment.end + 1)
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
    await file.truncate(position)
    return path
  }
}

/** What a reader finds in an archive. */
export interface ReadEntry {
  path: string
  bytes: number
  crc32: number
  /** Of the local header. */
  offset: number
  /** UTC, milliseconds since the epoch. */
  modified: number
  /** The numbers of the ZIP64 fields: of the header in the directory, and of the one in front of the file. */
  zip64: { central: number[]; local: number[] }
}

/** Entries of an archive by yauzl. Both headers of each are read. */
export async function entriesOf(file: string): Promise<ReadEntry[]> {
  const archive = await opened(file)
  const entries: ReadEntry[] = []
  for await (const entry of archive.eachEntry()) {
    const local = await archive.readLocalFileHeaderPromise(entry)
    entries.push({
      path: entry.fileName,
      bytes: entry.uncompressedSize,
      crc32: entry.crc32,
      offset: entry.relativeOffsetOfLocalHeader,
      modified: entry.getLastModDate({ timezone: 'UTC' }).getTime(),
      zip64: { central: zip64Numbers(entry.extraFields), local: zip64Numbers(yauzl.parseExtraFields(local.extraField)) },
    })
  }
  return entries
}

/** Bytes of all entries, or of those asked for. yauzl checks their CRC-32. */
export async function contentsOf(file: string, asked?: readonly string[]): Promise<Map<string, Buffer>> {
  const archive = await opened(file)
  const contents = new Map<string, Buffer>()
  for await (const entry of archive.eachEntry()) {
    if (asked?.includes(entry.fileName) ?? true) contents.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  }
  return contents
}

/** The end of an archive: whether it has the records of ZIP64, and how many entries the others count. */
export async function endOf(path: string): Promise<{ isZip64: boolean; entries: number; bytes: number }> {
  await using file = await open(path)
  const { size } = await file.stat()
  const end = Buffer.alloc(42)
  await file.read(end, 42 - Math.min(42, size), Math.min(42, size), size - Math.min(42, size))
  assert.equal(end.readUInt32LE(20), 0x06054b50)
  return { isZip64: end.readUInt32LE(0) === 0x07064b50, entries: end.readUInt16LE(30), bytes: size }
}

/** Small archives are read at once: yauzl reads each header by itself. */
async function opened(file: string): Promise<ZipFile> {
  const { size } = await stat(file)
  return size > 2 ** 28 ? await yauzl.openPromise(file) : await yauzl.fromBufferPromise(await readFile(file))
}

function zip64Numbers(fields: readonly ExtraField[]): number[] {
  const data = fields.find(({ id }) => id === 1)?.data ?? Buffer.alloc(0)
  return Array.from({ length: data.length / 8 }, (_, index) => Number(data.readBigUInt64LE(8 * index)))
}

const PYTHON = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in sys.argv[2:] or archive.namelist():
        with archive.open(name) as entry:
            while entry.read(1 << 20):
                pass
`

/** Programs that test an archive, with what comes before its name. They read it, and end with an error if anything is wrong. */
const programs: Readonly<Record<string, { version: string[]; test: string[] }>> = {
  unzip: { version: ['-v'], test: ['-tqq'] },
  python3: { version: ['--version'], test: ['-c', PYTHON] },
  '7z': { version: ['i'], test: ['t'] },
}

/** All of the programs, to test a whole archive or some of its entries. Where a machine doesn't have one, its test is skipped and counted. */
export const readers = await Promise.all(
  Object.entries(programs).map(async ([name, { version, test }]) => {
    const isThere = await run(name, version).then(
      () => true,
      () => false,
    )
    return {
      name,
      options: skippedFor(!isThere && `this machine has no ${name}`),
      test: (file: string, asked: readonly string[] = []) => run(name, [...test, file, ...asked]),
    }
  }),
)

/** @throws Error with what the program printed */
function run(program: string, args: string[]): Promise<unknown> {
  return promisify(execFile)(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}
