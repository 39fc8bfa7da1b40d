import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts'
import type { Row } from './report.ts'
import { FOLDERS, fillOwn, ROOT, searched, untilIndexed } from './search-http.ts'
import { wordsByFrequency } from './search-library.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted } from './timing.ts'

/** Clients that search meanwhile. */
const SEARCHING = 4
/** How much longer the slowest in a hundred may take beside searches. */
const TARGET = 2

/** `GET /folder/{id}`, alone and while others run heavy searches, one request after the other. */
export async function run({ files = 100_000, seconds = 15 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await fillOwn(service, files)
  const authorization = await service.signIn()
  const connect = () => keepAliveClient({ baseUrl: service.baseUrl, authorization })
  using client = connect()
  const texts = heavyQueries()
  await untilIndexed(client, '/search')
  for (const text of texts) await searched(client, '/search', text)
  await folderTimes(client, seconds / 3)
  const alone = await folderTimes(client, seconds)
  const searches: number[] = []
  let goesOn = true
  const searching = async (first: number) => {
    using connection = connect()
    for (let n = first; goesOn; n++) {
      const started = performance.now()
      await searched(connection, '/search', texts[n % texts.length]!)
      searches.push(performance.now() - started)
    }
  }
  const all = Promise.all(Array.from({ length: SEARCHING }, (_, n) => searching(n)))
  const beside = await folderTimes(client, seconds)
  goesOn = false
  await all
  return [
    { what: 'alone, p50', value: percentile(alone, 0.5), unit: 'ms' },
    { what: 'alone, p99', value: percentile(alone, 0.99), unit: 'ms' },
    { what: `beside ${SEARCHING} clients that search, p50`, value: percentile(beside, 0.5), unit: 'ms' },
    { what: `beside ${SEARCHING} clients that search, p99`, value: percentile(beside, 0.99), unit: 'ms' },
    { what: 'p99 beside searches to p99 alone', value: percentile(beside, 0.99) / percentile(alone, 0.99), unit: 'x', atMost: TARGET },
    { what: 'the searches, p50', value: percentile(sorted(searches), 0.5), unit: 'ms' },
  ]
}

/** Searches that look at most files. */
function heavyQueries(): string[] {
  const [common, other] = [wordsByFrequency()[0]!, wordsByFrequency()[3]!]
  return [
    `folder_ids=${ROOT}&recursive=true&order=distance&latitude=55&longitude=12&min_width=1`,
    `q=*${common.slice(0, 3)}*&query_type=wildcards&order=camera_created`,
    `q=${common}+-${other}&order=distance&latitude=55&longitude=12`,
    `q=*${other.slice(0, 3)}*&query_type=wildcards&order=relevance`,
  ]
}

/** @returns milliseconds, the shortest first */
async function folderTimes(client: KeepAliveClient, seconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < end; n++) {
    const started = performance.now()
    await client.get(`/folder/${FOLDERS[n % FOLDERS.length]}`)
    times.push(performance.now() - started)
  }
  return sorted(times)
}
