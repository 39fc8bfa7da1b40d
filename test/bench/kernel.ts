import { getFolder } from '../../functions/folder/get-folder.ts'
import { openEmbeddedBackend } from '../../infra/local/backend/embedded-backend.ts'
import { settingsAt } from '../../infra/local/settings.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { apiHandler } from '../../shared/http/kernel/kernel.ts'
import { bufferedHandler } from '../../shared/http/kernel/lambda.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { apiEvent } from '../support/api-event.ts'
import { putMedia } from '../support/media.ts'
import type { Service } from '../support/service.ts'
import { load } from './load.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

const CONNECTIONS = [1, 16]
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
  const times = await withoutNetwork(directory, demo.folder_id, authorization, requests)
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
    for (const connections of CONNECTIONS) {
      const { requestsPerSecond, p50 } = await load(baseUrl + path, { authorization, connections, seconds })
      const what = `${name} over HTTP, ${connections} ${connections === 1 ? 'connection' : 'connections'}`
      rows.push({ what, value: Math.round(requestsPerSecond), unit: 'requests/s' })
      rows.push({ what: `${what}, p50`, value: p50, unit: 'ms' })
    }
  }
  return { rows, demo, authorization }
}

/** `GET /folder/:id` through the whole kernel in this process, on a data folder that a server may have open: what remains without the network. */
async function withoutNetwork(directory: string, folderId: number, authorization: string, requests: number): Promise<number[]> {
  const baseUrl = 'http://127.0.0.1'
  const { backend, close } = await openEmbeddedBackend({ directory, baseUrl, mailSender: 'library@example.com', clock: systemClock })
  try {
    const settings = settingsAt(baseUrl, { ...defaultSettings, brand: process.env.BRAND || defaultSettings.brand })
    // Lines are made as always, and go nowhere.
    const kernel = { settings, clock: systemClock, log: jsonLog(() => undefined), baseUrl }
    const handler = bufferedHandler(apiHandler(getFolder, backend, kernel))
    const event = apiEvent({ method: 'GET', path: `/folder/${folderId}`, authorization }, '/folder/{id}', { id: String(folderId) })
    const ask = async () => {
      const { statusCode, body } = await handler(event)
      if (statusCode !== 200) throw new Error(`${statusCode} ${body}`)
    }
    await timed(requests / 10, ask)
    return await timed(requests, ask)
  } finally {
    await close()
  }
}
