import { randomFillSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { ZipArchive } from 'archiver'
import { ZipFile } from 'yazl'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { objectKeys } from '../../shared/library/media/objects.ts'
import { toCompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { provisioning } from '../support/accounts.ts'
import { putFiles, type WantedFile } from './files-in-table.ts'
import { putFolders } from './folders-in-table.ts'
import { watchLargestProcess } from './processes.ts'
import type { Row } from './report.ts'
import { library } from './search-library.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'

const FOLDER = 1_000
const MIME = 'application/octet-stream'
/** How often the job is asked for, in milliseconds. */
const LOOK = 200

/** Writes files into an archive, stored as they are. */
type ZipWriter = (paths: readonly string[], target: string) => Promise<void>

/** Common libraries that write the same archive from files on disk. Unlike the service they don't wait until it is on the disk. */
const zipPeers: Readonly<Record<string, ZipWriter>> = {
  async archiver(paths, target) {
    const archive = new ZipArchive({ store: true })
    for (const path of paths) archive.file(path, { name: basename(path) })
    await Promise.all([pipeline(archive, createWriteStream(target)), archive.finalize()])
  },
  async yazl(paths, target) {
    const archive = new ZipFile()
    for (const path of paths) archive.addFile(path, basename(path), { compress: false })
    archive.end()
    await pipeline(archive.outputStream, createWriteStream(target))
  },
}

/**
 * Zips of whole folders through the service, from the request until the URL is there: few large files and many small ones beside common
 * libraries that write the same archive from the same files.
 */
export async function run({ large = 100, small = 10_000 } = {}): Promise<Row[]> {
  return [
    ...(large > 0 ? await besidePeers({ count: large, bytes: 20_000_000, atLeast: 2 }) : []),
    ...(small > 0 ? await besidePeers({ count: small, bytes: 200_000, atLeast: 1.5 }) : []),
  ]
}

async function besidePeers({ count, bytes, atLeast }: { count: number; bytes: number; atLeast: number }): Promise<Row[]> {
  const what = `${count} files of ${bytes / 1e6} MB`
  await using data = await temporaryData()
  const paths = await randomFiles(join(data.directory, 'files'), count, bytes)
  const ours = await zipped(join(data.directory, 'library'), paths)
  const rows: Row[] = [
    { what: `zip of ${what}`, value: ours.seconds, unit: 's' },
    { what: 'peak memory of its largest process', value: ours.peakBytes / 1e6, unit: 'MB', atMost: 256 },
  ]
  for (const [name, write] of Object.entries(zipPeers)) {
    const target = join(data.directory, 'peer.zip')
    const started = performance.now()
    await write(paths, target)
    const seconds = (performance.now() - started) / 1000
    await rm(target)
    rows.push({ what: `the same by ${name}`, value: seconds, unit: 's' })
    rows.push({ what: `the service against ${name}`, value: seconds / ours.seconds, unit: 'ratio', atLeast })
  }
  return rows
}

/** Makes a folder with these files in a service, and has it zipped. */
async function zipped(directory: string, paths: readonly string[]) {
  await mkdir(directory)
  await using service = await startServiceProcess(directory)
  await fill(service, paths)
  const client = await service.client()
  const memory = watchLargestProcess(service.pid)
  const started = performance.now()
  let { body: job } = await client['create-zip']({ params: { id: FOLDER } })
  while (job.state === 'PENDING') {
    await sleep(LOOK)
    job = (await client['get-zip']({ params: { job_id: job.job_id } })).body
  }
  const seconds = (performance.now() - started) / 1000
  const peakBytes = memory()
  if (job.state !== 'DONE') throw new Error(`the zip ended as ${job.state}`)
  return { seconds, peakBytes }
}

async function fill(service: ServiceProcess, paths: readonly string[]): Promise<void> {
  const { company_id: companyId, user_id: userId } = service.demo
  const objects = openEmbeddedObjects(embeddedLayout(service.directory).media)
  const accounts = await provisioning(service)
  try {
    await putFolders(accounts.table, companyId, [{ folderId: FOLDER, name: 'Zipped', parent: null }])
    const files: WantedFile[] = []
    for (const [n, file] of [...library(paths.length)].entries()) {
      const key = objectKeys.original({ companyId: toCompanyId(companyId), mediaId: toMediaId(1 + n) })
      const content = await readFile(paths[n]!)
      await objects.put(key, content, { contentType: MIME })
      const facts = { mime: MIME, crc32: crc32(content) }
      files.push({ ...file, mediaId: 1 + n, folders: [FOLDER], kind: 'generic', bytes: content.length, facts })
    }
    await putFiles(accounts.table, { companyId, userId }, files)
  } finally {
    accounts.close()
    objects.close()
  }
}

async function randomFiles(directory: string, count: number, bytes: number): Promise<string[]> {
  await mkdir(directory)
  const content = Buffer.alloc(bytes)
  const paths: string[] = []
  for (let n = 0; n < count; n++) {
    paths.push(join(directory, `${n}.bin`))
    // All different, and none compressible. Filling a part of it is enough for that.
    randomFillSync(content, 0, n === 0 ? bytes : 4_096)
    await writeFile(paths.at(-1)!, content)
  }
  return paths
}
