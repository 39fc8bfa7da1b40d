import { keepAliveClient } from './keep-alive-client.ts'
import type { Row } from './report.ts'
import { fillOwn, untilIndexed } from './searched-library.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** Files in one layout. */
const SLICE = 100_000
const PAGE = 'return_values=unique_media_id+title+filename+thumbnail_url&media_count=24'

/**
 * What a client asks that scrolls through a large library, over HTTP: pages at the end and in the middle of all files, and the layout of all of them.
 * @param options.rounds how often each is asked
 */
export async function run({ files = 100_000, rounds = 51 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await fillOwn(service, files)
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization: await service.signIn() })
  const indexing = await timed(1, () => untilIndexed(client))
  const isLarge = files > SLICE
  const p50 = async (what: string, path: string, atMost?: number): Promise<Row> => {
    const times = await timed(rounds, () => client.get(path))
    return { what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms', ...(atMost && { atMost }) }
  }
  const rows: Row[] = [
    { what: `the first search of ${files} files, which builds the index`, value: indexing[0]! / 1000, unit: 's' },
    await p50('the last page by date', `/search?all=1&order=created&media_offset=${files - 24}&${PAGE}`, isLarge ? 30 : 10),
    await p50('the page in the middle by date', `/search?all=1&order=created&media_offset=${files >> 1}&${PAGE}`),
    await p50('the page in the middle by filename', `/search?all=1&order=filename&media_offset=${files >> 1}&${PAGE}`),
    await p50('the page in the middle by size', `/search?all=1&order=size&media_offset=${files >> 1}&${PAGE}`),
  ]
  const slices = Array.from({ length: Math.ceil(files / SLICE) }, (_, n) => `/search/layout?all=1&media_offset=${n * SLICE}`)
  const layouts = await timed(Math.min(rounds, 11), async () => {
    for (const path of slices) await client.get(path)
  })
  rows.push({
    what: `the layout of all files in ${slices.length} calls, p50`,
    value: percentile(layouts, 0.5),
    unit: 'ms',
    atMost: isLarge ? 2_000 : 150,
  })
  return rows
}
