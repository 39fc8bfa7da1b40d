import { getFolder } from '../../functions/folder/get-folder.ts'
import { embeddedLayout } from '../../shared/backends/embedded-layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { putMedia } from '../support/media.ts'
import type { Service } from '../support/service.ts'
import { inProcess } from './in-process.ts'
import { load } from './load.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

const CONNECTIONS = 16
const MEDIA_ID = 1

/**
 * What one request costs: `GET /folder/:id` through the whole kernel in this process on the embedded backend, and how many requests a
 * second the server answers over kept connections.
 * @param options.requests in process
 * @param options.seconds of load on each address
 */
export async function run({ requests = 5_000, seconds = 5 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  const { directory } = data
  const { rows, demo, authorization } = await overHttp(directory, seconds)
  const times = await withoutNetwork({ directory, folderId: demo.folder_id, authorization, requests })
  return [
    { what: 'GET /folder/:id in process, p50', value: percentile(times, 0.5), unit: 'ms', atMost: 2 },
    { what: 'GET /folder/:id in process, p95', value: percentile(times, 0.95), unit: 'ms' },
    ...rows,
  ]
}

async function overHttp(directory: string, seconds: number): Promise<{ rows: Row[]; demo: Service['demo']; authorization: string }> {
  await using service = await startServiceProcess(directory)
  const { demo, baseUrl } = service
  const authorization = await service.signIn()
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  await putMedia(table, { mediaId: MEDIA_ID, companyId: demo.company_id, folders: [demo.folder_id] })
  table.close()
  const rows: Row[] = []
  for (const [name, path] of [
    ['GET /folder/:id', `/folder/${demo.folder_id}`],
    ['GET /media/:id', `/media/${MEDIA_ID}`],
  ]) {
    const { requestsPerSecond, p50 } = await load(baseUrl + path, { authorization, connections: CONNECTIONS, seconds })
    rows.push({ what: `${name} over HTTP, ${CONNECTIONS} connections`, value: Math.round(requestsPerSecond), unit: 'requests/s' })
    rows.push({ what: `${name} over HTTP, ${CONNECTIONS} connections, p50`, value: p50, unit: 'ms' })
  }
  return { rows, demo, authorization }
}

async function withoutNetwork(options: {
  directory: string
  folderId: number
  authorization: string
  requests: number
}): Promise<number[]> {
  const { directory, folderId, authorization, requests } = options
  await using direct = await inProcess(directory, getFolder)
  const ask = () => direct.get(authorization, { id: String(folderId) })
  await timed(requests / 10, ask)
  return await timed(requests, ask)
}
