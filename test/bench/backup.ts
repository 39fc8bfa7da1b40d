import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeBackup } from '../../infra/local/backup/make-backup.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import type { Row } from './report.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted } from './timing.ts'
import { upload } from './upload-order.ts'

const execute = promisify(execFile)

const PROGRAM = fileURLToPath(new URL('../../infra/local/backup/run.ts', import.meta.url))
const START_UP = fileURLToPath(new URL('../../infra/start-up.cjs', import.meta.url))

const MIB = 1024 ** 2

/** Files stored at a time. */
const PARALLEL = 8

/**
 * A backup of many files beside a server, on the same disk, where files are linked. Beside it what `cp` takes for the same files, and what
 * uploads take while backups are made as the server makes them.
 */
export async function run({ files = 10_000, seconds = 15 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await store(data.directory, files)
  return [...(await alone(data.directory, files)), ...(await besideUploads(service, seconds))]
}

/** Uploads one after the other, without a backup, and while backups are made that begin anew. */
async function besideUploads(service: ServiceProcess, seconds: number): Promise<Row[]> {
  const to = { baseUrl: service.baseUrl, authorization: await service.signIn(), folderId: service.demo.folder_id }
  const p99 = async () => {
    const { durations } = await upload({ to, sources: [{ bytes: MIB }], parallel: 1, until: { seconds } })
    return percentile(sorted(durations), 0.99)
  }
  const without = await p99()
  const ending = new AbortController()
  const backups = backUpAgain(service.directory, ending.signal)
  const beside = await p99()
  ending.abort()
  await backups
  return [
    { what: 'an upload of 1 MiB, p99', value: without, unit: 'ms' },
    { what: 'the same while backups are made, p99', value: beside, unit: 'ms' },
    { what: 'that, of the one without', value: beside / without, unit: 'x', atMost: 2 },
  ]
}

/** Backs up to one new folder after the other, by the process in which a server does it. */
async function backUpAgain(dataDirectory: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const target = await mkdtemp(join(tmpdir(), 'media-library-backups-'))
    const args = ['--require', START_UP, PROGRAM, dataDirectory, target, String(Date.now())]
    try {
      await execute(process.execPath, args, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      await rm(target, { recursive: true, force: true })
    }
  }
}

async function alone(dataDirectory: string, files: number): Promise<Row[]> {
  const target = await mkdtemp(join(tmpdir(), 'media-library-backups-'))
  try {
    const first = await backUp(dataDirectory, target)
    const second = await backUp(dataDirectory, target)
    const raw = await linkPlainly(join(embeddedLayout(dataDirectory).media, 'data'), join(target, 'plain'))
    return [
      { what: `files of 1 MiB, of ${files}`, value: files / first, unit: '/s', atLeast: 3_000 },
      { what: 'the same files by cp', value: files / raw, unit: '/s' },
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

/** @returns seconds */
async function linkPlainly(from: string, to: string): Promise<number> {
  const started = performance.now()
  await execute('cp', ['-rl', from, to])
  return (performance.now() - started) / 1000
}

async function store(dataDirectory: string, files: number): Promise<void> {
  const media = openEmbeddedObjects(embeddedLayout(dataDirectory).media)
  const bytes = randomBytes(MIB)
  let next = 0
  const worker = async () => {
    while (next < files) {
      const number = next++
      bytes.writeUInt32LE(number)
      await media.put(`bench/${number}`, Buffer.from(bytes), { contentType: 'application/octet-stream' })
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  media.close()
}
