import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { saveWithDigest } from '../../shared/tools/digest.ts'
import { createRenderer } from '../../shared/tools/imaging/render.ts'
import { longestSide } from '../../shared/tools/imaging/sizes.ts'
import { createExifTool } from '../../shared/tools/metadata/exiftool.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { photo } from '../support/pictures/index.ts'

const execute = promisify(execFile)

/** One measured number with its target, where it has one. */
export interface Row {
  what: string
  value: number
  unit: 'files/min' | 'ratio'
  atLeast?: number
}

/** Different pictures that are made; the others are imports of the same again (nothing is cached between files on either side). */
const distinct = 12
const atOnce = 2

/**
 * The work of tools on an import (copy with MD5 and CRC-32, type, tags, seven sizes) of photos of 12 to 24 megapixels, two at a
 * time, and the same by commands: `cp`, `md5sum`,
 * `exiftool` and, for each size, `vipsthumbnail` (no CRC-32: there is no common command for it).
 * Needs `exiftool` and `vipsthumbnail` (Debian: libimage-exiftool-perl, libvips-tools) for the comparison, and leaves it out without.
 * @param photos how many to import on each side
 */
export async function run({ photos = 200 } = {}): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'import-tools-'))
  const paths: string[] = []
  for (let n = 0; n < Math.min(distinct, photos); n++) paths.push(await photo(12 + (n % 5) * 3, n))
  try {
    const ours = await filesPerMinute(photos, paths, await ourImport(folder))
    const rows: Row[] = [{ what: `tools of an import, ${photos} photos`, value: ours, unit: 'files/min' }]
    if (!(await commandsExist())) return rows
    const theirs = await filesPerMinute(photos, paths, (path) => importByCommands(path, folder))
    return [
      ...rows,
      { what: `the same by exiftool and vipsthumbnail, ${photos} photos`, value: theirs, unit: 'files/min' },
      { what: 'tools of an import against commands', value: ours / theirs, unit: 'ratio', atLeast: 2 },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function filesPerMinute(
  photos: number,
  paths: readonly string[],
  work: ((path: string) => Promise<void>) & { end?(): Promise<void> },
) {
  const queue = Array.from({ length: photos }, (_, n) => paths[n % paths.length]!)
  const started = performance.now()
  const worker = async () => {
    for (let path = queue.pop(); path; path = queue.pop()) await work(path)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const minutes = (performance.now() - started) / 60_000
  await work.end?.()
  return photos / minutes
}

async function ourImport(folder: string) {
  const exiftool = createExifTool({ processes: atOnce })
  async function work(path: string): Promise<void> {
    const into = await mkdtemp(join(folder, 'ours-'))
    const copy = join(into, 'original.jpg')
    await saveWithDigest(createReadStream(path), copy)
    const { mime } = await sniff(copy)
    await exiftool.readTags(copy, 'original.jpg')
    await createRenderer(exiftool)(copy, mime, into)
    await rm(into, { recursive: true })
  }
  return Object.assign(work, { end: () => exiftool.close() })
}

async function importByCommands(path: string, folder: string): Promise<void> {
  const into = await mkdtemp(join(folder, 'commands-'))
  const copy = join(into, 'original.jpg')
  await execute('cp', [path, copy])
  await execute('md5sum', [copy])
  await execute('exiftool', ['-j', '-g', '-n', copy])
  for (const size of renditionSizes) {
    const pixels = longestSide(size)
    await execute('vipsthumbnail', [
      copy,
      '--size',
      `${pixels}x${pixels}>`,
      '--export-profile',
      'srgb',
      '-o',
      join(into, `${size}.jpg[Q=80,strip]`),
    ])
  }
  await rm(into, { recursive: true })
}

async function commandsExist(): Promise<boolean> {
  try {
    await execute('exiftool', ['-ver'])
    await execute('vipsthumbnail', ['--version'])
    return true
  } catch {
    return false
  }
}
