import { keepAliveClient } from './keep-alive-client.ts'
import type { Row } from './report.ts'
import { wordsByFrequency } from './search-library.ts'
import { fillOwn, untilIndexed } from './searched-library.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** Milliseconds that typing may wait. */
const MOST = 20

/**
 * What somebody asks who types in a large library, over HTTP: suggestions for beginnings of words, what was meant with a word that is misspelt,
 * and lists in the orders that depend on metadata and on rights.
 * @param options.rounds how often each is asked
 */
export async function run({ files = 200_000, rounds = 51 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await fillOwn(service, files)
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization: await service.signIn() })
  await untilIndexed(client)
  const words = wordsByFrequency()
  const rows: Row[] = []
  const measure = async (what: string, path: (round: number) => string, atMost?: number) => {
    let round = 0
    const times = await timed(rounds, () => client.get(path(round++)))
    rows.push({ what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms', ...(atMost && { atMost }) })
  }
  /** Another word each round, of the more frequent ones. */
  const word = (round: number) => words[40 + 7 * round]!
  for (const letters of [1, 2, 3, 5]) {
    await measure(`suggestions for ${letters} letters`, (round) => `/search/suggest?q=${word(round).slice(0, letters)}`, MOST)
  }
  const misspelt = (round: number) => `${words[600 + 7 * round]!.slice(0, -1)}xz`
  await measure('what was meant with a misspelt word', (round) => `/search/suggest?q=${misspelt(round)}`, MOST)
  for (const order of ['byline', 'kind', 'expiration_date', 'folder']) {
    await measure(`the first page by ${order}`, () => `/search?all=1&order=${order}&return_values=unique_media_id&media_count=24`)
  }
  return rows
}
