import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBackup } from '../../infra/local/backup/make-backup.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'

const MIB = 1024 ** 2

/** Linux's disk in memory: another one than that of temporary files, so files are copied to it. */
const OTHER_DISK = '/dev/shm'

/** Files stored at a time. */
const PARALLEL = 8

/** A backup of many files beside a server: on the same disk, where files are linked, and on another one. */
export async function run({ files = 10_000, copied = 1_000 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using _service = await startServiceProcess(data.directory)
  await store(data.directory, 0, copied)
  const other = existsSync(OTHER_DISK) && (await stat(OTHER_DISK)).dev !== (await stat(tmpdir())).dev ? OTHER_DISK : undefined
  const copying = other === undefined ? [] : await measure(data.directory, other, 'copied', copied, 300)
  await store(data.directory, copied, files)
  return [...copying, ...(await measure(data.directory, tmpdir(), 'linked', files, 3_000))]
}

/** @param how what happens to files on that disk @param atLeast files a second */
async function measure(dataDirectory: string, disk: string, how: string, files: number, atLeast: number): Promise<Row[]> {
  const target = await mkdtemp(join(disk, 'media-library-backups-'))
  try {
    const first = await backUp(dataDirectory, target)
    const second = await backUp(dataDirectory, target)
    return [
      { what: `files of 1 MiB that are ${how}, of ${files}`, value: files / first, unit: '/s', atLeast },
      { what: 'the next backup, without changes', value: second, unit: 's', atMost: 10 },
    ]
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}

/** @returns seconds */
async function backUp(dataDirectory: string, target: string): Promise<number> {
  const started = performance.now()
  await makeBackup({ dataDirectory, target, productVersion: 'bench', clock: systemClock, verify: false })
  return (performance.now() - started) / 1000
}

async function store(dataDirectory: string, from: number, to: number): Promise<void> {
  const media = openEmbeddedObjects(embeddedLayout(dataDirectory).media)
  const bytes = randomBytes(MIB)
  let next = from
  const worker = async () => {
    while (next < to) {
      const number = next++
      bytes.writeUInt32LE(number)
      await media.put(`bench/${number}`, Buffer.from(bytes), { contentType: 'application/octet-stream' })
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  media.close()
}
