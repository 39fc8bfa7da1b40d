import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import type { Service } from '../support/service.ts'
import { putFolders, type WantedFolder } from './folders-in-table.ts'
import { keepAliveClient } from './keep-alive-client.ts'
import { peakBytes, untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted, timed } from './timing.ts'

/** A folder at the top, and those below it. */
const BRANCH = 10

/** What a company of so many folders may take: milliseconds of a warm and of the first request, bytes of the process. */
interface Targets {
  warm?: number
  first?: number
  bytes?: number
}

/**
 * `GET /folder` in companies of many folders: all of them with an admin's permissions. Cold: the first request of that kind that a server answers after its start. Warm: the ones that follow, while nobody
 * changes a folder.
 */
export async function run({ folders = 10_000, many = 100_000, rounds = 25, starts = 5 } = {}): Promise<Row[]> {
  return [
    ...(await measured({ folders, rounds, starts }, { warm: 12 })),
    ...(await measured({ folders: many, rounds, starts }, { warm: 120, first: 150, bytes: 350e6 })),
  ]
}

interface Sizes {
  folders: number
  rounds: number
  starts: number
}

async function measured(sizes: Sizes, targets: Targets): Promise<Row[]> {
  await using data = await temporaryData()
  const { directory } = data
  const { folders, rounds, starts } = sizes
  const authorization = await prepare(directory, folders)
  const cold: number[] = []
  for (let start = 0; start < starts; start++) cold.push(await firstAnswer(directory, authorization, `/folder/${BRANCH + 1}`))
  const rows: Row[] = [{ ...row(`one of ${folders} folders, the first request`, sorted(cold)), atMost: targets.first }]
  await using service = await startServiceProcess(directory)
  rows.push(...(await overHttp(service, authorization, { folders, rounds }, targets)))
  const peak = { what: `peak of memory, ${folders} folders`, value: peakBytes(service.pid) / 1e6, unit: 'MB' }
  return [...rows, { ...peak, ...(targets.bytes && { atMost: targets.bytes / 1e6 }) }]
}

/** Makes the folders. @returns the value of the admin's `Authorization` header */
async function prepare(directory: string, folders: number): Promise<string> {
  await using service = await startServiceProcess(directory)
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  try {
    await putFolders(table, service.demo.company_id, branches(folders))
    await untilIdle(service.pid)
    return await service.signIn()
  } finally {
    table.close()
  }
}

async function firstAnswer(directory: string, authorization: string, path: string): Promise<number> {
  await using service = await startServiceProcess(directory)
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization })
  // The connection, and what every request needs, are not what this is about.
  await client.get('/whoami')
  return percentile(await timed(1, () => client.read(path)), 0)
}

async function overHttp(
  service: Service,
  authorization: string,
  { folders, rounds }: Omit<Sizes, 'starts'>,
  { warm }: Targets,
): Promise<Row[]> {
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization })
  const found = JSON.parse(await client.get('/folder')).length
  if (found < folders) throw new Error(`${found} folders only`)
  const { etag } = await client.read('/folder')
  const known = await timed(rounds, async () => {
    const { status } = await client.read('/folder', etag)
    if (status !== 304) throw new Error(`${status} for a client who has the list`)
  })
  const unchanged = await timed(rounds, () => client.read('/folder'))
  return [
    { ...row(`all ${folders}, warm, over HTTP`, unchanged), atMost: warm },
    { ...row(`all ${folders}, which the client has, over HTTP`, known), atMost: 2 },
  ]
}

function branches(count: number): WantedFolder[] {
  return Array.from({ length: count }, (_, n) => {
    const folderId = n + BRANCH
    const parent = folderId % BRANCH === 0 ? null : folderId - (folderId % BRANCH)
    return { folderId, name: `Folder ${(folderId * 7919) % count}`, parent }
  })
}

function row(what: string, times: readonly number[]): Row {
  return { what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms' }
}
