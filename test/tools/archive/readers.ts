import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import yauzl, { type Entry, type ExtraField, type ZipFile } from 'yauzl'
import { skippedFor } from '../../support/skipping.ts'

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
      modified: entry.getLastModDate().getTime(),
      zip64: { central: zip64Numbers(entry.extraFields), local: zip64Numbers(yauzl.parseExtraFields(local.extraField)) },
    })
  }
  return entries
}

/** Bytes of the entries that are asked for, their CRC-32 checked by yauzl. */
export async function contentsOf(file: string, isAsked: (entry: Entry) => boolean = () => true): Promise<Map<string, Buffer>> {
  const archive = await opened(file)
  const contents = new Map<string, Buffer>()
  for await (const entry of archive.eachEntry()) {
    if (isAsked(entry)) contents.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  }
  return contents
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
    assert archive.testzip() is None
    print(len(archive.infolist()))
`

/** Programs that test an archive: they read it whole, and end with an error if anything is wrong. */
const programs: Readonly<Record<string, { version: string[]; test: (file: string) => string[] }>> = {
  unzip: { version: ['-v'], test: (file) => ['-tqq', file] },
  python3: { version: ['--version'], test: (file) => ['-c', PYTHON, file] },
  '7z': { version: ['i'], test: (file) => ['t', file] },
}

/** Every one of the programs, with the options of its test: where a machine doesn't have it, the test is skipped and counted. */
export const programTests = await Promise.all(
  Object.entries(programs).map(async ([name, { version, test }]) => {
    const isThere = await run(name, version).then(
      () => true,
      () => false,
    )
    return { name, options: skippedFor(!isThere && `this machine has no ${name}`), test: (file: string) => run(name, test(file)) }
  }),
)

/** @throws Error with what the program printed */
function run(program: string, args: string[]): Promise<unknown> {
  return promisify(execFile)(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}
