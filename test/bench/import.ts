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
import { importsIn } from './imports.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { upload } from './upload-order.ts'

const execute = promisify(execFile)

/** Different pictures that are made; the others are imports of the same again (nothing is cached between files on either side). */
const DISTINCT = 12
const AT_ONCE = 2

/**
 * Photos of 12 to 24 megapixels through the whole service, from the first registration until all are available; the work of its tools alone (copy
 * with MD5 and CRC-32, type, tags, seven sizes), two at a time; and the same by commands: `cp`, `md5sum`, `exiftool` and, for each size,
 * `vipsthumbnail` (no CRC-32: there is no common command for it). Needs `exiftool` and `vipsthumbnail` (Debian: libimage-exiftool-perl,
 * libvips-tools) for the comparison, and leaves it out without.
 */
export async function run({ photos = 200 } = {}): Promise<Row[]> {
  const paths: string[] = []
  for (let n = 0; n < Math.min(DISTINCT, photos); n++) paths.push(await photo(12 + (n % 5) * 3, n))
  const service = await byService(photos, paths)
  const folder = await mkdtemp(join(tmpdir(), 'import-tools-'))
  try {
    const tools = await byTools(photos, paths, folder)
    const rows: Row[] = [
      { what: `${photos} photos uploaded and imported by the service`, value: service, unit: 'files/min' },
      { what: `tools of an import, ${photos} photos`, value: tools, unit: 'files/min' },
    ]
    if (!(await commandsExist())) return rows
    const commands = await filesPerMinute(photos, paths, (path) => byCommands(path, folder))
    return [
      ...rows,
      { what: `the same by exiftool and vipsthumbnail, ${photos} photos`, value: commands, unit: 'files/min' },
      { what: 'tools of an import against commands', value: tools / commands, unit: 'ratio', atLeast: 2 },
      { what: 'the service against commands', value: service / commands, unit: 'ratio', atLeast: 2 },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function byService(photos: number, paths: readonly string[]): Promise<number> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, demo } = service
  const to = { baseUrl, authorization: await service.signIn(), folderId: demo.folder_id }
  const sources = paths.map((path) => ({ path }))
  const started = performance.now()
  const { mediaIds } = await upload({ to, sources, parallel: 4, until: { uploads: photos } })
  using imports = importsIn(data.directory)
  const files = await imports.untilFinished(mediaIds)
  const minutes = (performance.now() - started) / 60_000
  const failed = files.filter(({ kind }) => kind !== 'image').length
  if (failed > 0) throw new Error(`${failed} photos were imported as something else than images`)
  return photos / minutes
}

async function filesPerMinute(photos: number, paths: readonly string[], work: (path: string) => Promise<void>): Promise<number> {
  const queue = Array.from({ length: photos }, (_, n) => paths[n % paths.length]!)
  const started = performance.now()
  const worker = async () => {
    for (let path = queue.pop(); path; path = queue.pop()) await work(path)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return photos / ((performance.now() - started) / 60_000)
}

async function byTools(photos: number, paths: readonly string[], folder: string): Promise<number> {
  const exiftool = createExifTool({ processes: AT_ONCE })
  const rate = await filesPerMinute(photos, paths, async (path) => {
    const into = await mkdtemp(join(folder, 'ours-'))
    const copy = join(into, 'original.jpg')
    await saveWithDigest(createReadStream(path), copy)
    const { mime } = await sniff(copy)
    await exiftool.readTags(copy, 'original.jpg')
    await createRenderer(exiftool)(copy, mime, into)
    await rm(into, { recursive: true })
  })
  await exiftool.close()
  return rate
}

async function byCommands(path: string, folder: string): Promise<void> {
  const into = await mkdtemp(join(folder, 'commands-'))
  const copy = join(into, 'original.jpg')
  await execute('cp', [path, copy])
  await execute('md5sum', [copy])
  await execute('exiftool', ['-j', '-g', '-n', copy])
  for (const size of renditionSizes) {
    const pixels = longestSide(size)
    const target = join(into, `${size}.jpg[Q=80,strip]`)
    await execute('vipsthumbnail', [copy, '--size', `${pixels}x${pixels}>`, '--export-profile', 'srgb', '-o', target])
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
