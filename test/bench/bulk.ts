import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchDocument } from '../../shared/backends/search/port.ts'
import { provisioning } from '../support/accounts.ts'
import { putFiles } from './files-in-table.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted, timed } from './timing.ts'

/** How often the job is asked how far it is, in milliseconds. */
const LOOK = 50
const REQUESTS = 1_000

/** Keywords of many files changed by one request, and other requests meanwhile. */
export async function run({ files = 10_000 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { company_id: companyId, user_id: userId, folder_id: folder } = service.demo
  const accounts = await provisioning(service)
  try {
    await putFiles(accounts.table, { companyId, userId }, documents(files, folder))
    const client = await service.client()
    const request = () => client['get-folder']({ params: { id: folder } })
    await timed(REQUESTS, request)
    const idle = await timed(REQUESTS, request)
    const started = performance.now()
    const ids = Array.from({ length: files }, (_, n) => n + 1)
    const { body } = await client['change-media-in-bulk']({ body: { select: { ids }, change: { keywords: { en: { add: ['dawn'] } } } } })
    const job = { params: { job_id: body.job_id } }
    const beside: number[] = []
    const others = new AbortController()
    const measured = (async () => {
      while (!others.signal.aborted) beside.push(...(await timed(1, request)))
    })()
    let state = await client['get-bulk'](job)
    for (; state.body.state === 'PENDING'; state = await client['get-bulk'](job)) await sleep(LOOK)
    const seconds = (performance.now() - started) / 1000
    others.abort()
    await measured
    if (state.body.changed !== files) throw new Error(`${state.body.changed} files were changed`)
    const [before, during] = [percentile(idle, 0.99), percentile(sorted(beside), 0.99)]
    return [
      { what: `keywords of ${files} files`, value: seconds, unit: 's', atMost: 20 },
      { what: 'GET /folder/:id, idle, p99', value: before, unit: 'ms' },
      { what: 'the same beside it, p99', value: during, unit: 'ms' },
      { what: 'as a multiple', value: during / before, unit: '', atMost: 2 },
    ]
  } finally {
    accounts.close()
  }
}

/** Files of text in a folder, for `putFiles`. */
export function* documents(count: number, folder: number): Generator<SearchDocument> {
  for (let n = 0; n < count; n++) {
    yield {
      mediaId: 1 + n,
      revision: 1,
      folders: [folder],
      kind: 'generic',
      created: n,
      cameraCreated: null,
      modified: n,
      width: null,
      height: null,
      latitude: null,
      longitude: null,
      expires: null,
      title: [`File ${n}`],
      description: [],
      keywords: ['generated'],
      suggestedKeywords: [],
      byline: '',
      copyright: '',
      filename: `${n}.txt`,
      bytes: 1,
    }
  }
}
