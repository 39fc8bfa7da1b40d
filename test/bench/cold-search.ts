import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { KnownObjects } from '../../shared/backends/objects/port.ts'
import { s3Objects } from '../../shared/backends/objects/s3.ts'
import { s3Reader } from '../../shared/backends/objects/s3-reader.ts'
import { embeddedSearch } from '../../shared/backends/search/embedded.ts'
import { openIndexWriter } from '../../shared/backends/search/snapshots/index-writer.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { type StoredSnapshot, snapshotName, snapshotObject, snapshotsKey } from '../../shared/library/index-snapshots/record.ts'
import { storedSnapshots } from '../../shared/library/index-snapshots/stored-snapshots.ts'
import { standardLog } from '../../shared/log/json-log.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { versitygw } from '../support/aws/versitygw.ts'
import { keptPath } from '../support/kept-files.ts'
import type { Row } from './report.ts'
import { everything, libraryFeed, nothingNew } from './search-index.ts'
import { timed } from './timing.ts'

const COMPANY = toCompanyId(1)
const clock = systemClock

/** Targets in seconds by number of files. */
const TARGETS: Readonly<Record<number, number>> = { 50000: 2, 200000: 6, 1000000: 25 }

/**
 * The first search of a process without any index, its snapshot in S3 (a server of this machine), and what the job that makes the snapshot
 * takes. Snapshots are kept for the next run.
 */
export async function run({ files, rounds }: { files: number; rounds: number }): Promise<Row[]> {
  const { path, bytes, format, rows } = await snapshotFile(files)
  const folder = await mkdtemp(join(tmpdir(), 'cold-search-'))
  const engine = await versitygw.start()
  Object.assign(process.env, engine.environment)
  const table = openEmbeddedTable(join(folder, 'table.db'))
  const client = new S3Client({ forcePathStyle: true })
  try {
    await client.send(new CreateBucketCommand({ Bucket: 'media' }))
    const objects = s3Objects({ bucket: 'media', client })
    const asOf = clock.now()
    const name = snapshotName(asOf)
    const [put] = await timed(1, () => objects.putFile(snapshotObject(COMPANY, { name }), path, { contentType: 'application/zstd' }))
    const { bytes: stored = 0 } = (await objects.head(snapshotObject(COMPANY, { name }))) ?? {}
    const snapshot: StoredSnapshot = { name, format, asOf, made: asOf, isComplete: true, bytes, stored }
    await table.put({ ...snapshotsKey(COMPANY), companyId: COMPANY, snapshots: [snapshot] })

    let requests = 0
    const reader = s3Reader({ bucket: 'media', region: 'us-east-1', endpoint: process.env.AWS_ENDPOINT_URL })
    const snapshotFiles: Pick<KnownObjects, 'get'> = {
      get(key, range) {
        requests++
        return reader.get(key, range)
      },
    }
    const never = async () => {
      throw new Error('no snapshot is asked for')
    }
    let processes = 0
    const cold = await timed(rounds, async () => {
      const snapshots = storedSnapshots({ table, snapshotFiles, snapshotJobs: { transact: never }, clock, log: standardLog() })
      const search = embeddedSearch({ directory: join(folder, `process-${processes++}`), feed: nothingNew, snapshots })
      const { total } = await search.search(COMPANY, everything)
      await search.close()
      if (total !== files) throw new Error(`${total} of ${files} files were found`)
    })
    const target = TARGETS[files]
    return [
      ...rows,
      { what: 'the copy', value: stored / files, unit: 'bytes/file' },
      { what: 'storing it', value: put! / 1000, unit: 's' },
      {
        what: `first search of a process, ${files} files`,
        value: cold[cold.length >> 1]! / 1000,
        unit: 's',
        ...(target && { atMost: target }),
      },
      { what: 'its requests to S3', value: requests / rounds, unit: '' },
    ]
  } finally {
    client.destroy()
    table.close()
    await engine.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A snapshot in a file, and what it took to make it; nothing where an earlier run has left it. */
async function snapshotFile(files: number): Promise<{ path: string; bytes: number; format: number; rows: Row[] }> {
  const folder = await mkdtemp(keptPath('cold-search-writer-'))
  try {
    const writer = openIndexWriter({ directory: join(folder, 'indexes'), feed: libraryFeed(files) })
    const { format } = writer
    const path = keptPath(`cold-search-${files}-format-${format}.zst`)
    if (existsSync(path)) return { path, bytes: Number(await readFile(`${path}.bytes`, 'utf8')), format, rows: [] }
    await using index = await writer.open(COMPANY, [])
    const [built] = await timed(1, () => index.catchUp(3_600_000))
    let bytes = 0
    const [packed] = await timed(1, async () => {
      const made = await index.pack()
      bytes = made.bytes
      await pipeline(made.content, createWriteStream(join(folder, 'copy')))
    })
    await writeFile(`${path}.bytes`, String(bytes))
    await rename(join(folder, 'copy'), path)
    const rows = [
      { what: 'building the index', value: files / (built! / 1000), unit: 'files/s' },
      { what: 'the index', value: bytes / files, unit: 'bytes/file' },
      { what: 'copying and compressing it', value: packed! / 1000, unit: 's' },
    ]
    return { path, bytes, format, rows }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
