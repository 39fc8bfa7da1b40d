import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { putFiles } from './files-in-table.ts'
import { putFolders } from './folders-in-table.ts'
import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts'
import { processorSeconds, untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { library, wordsByFrequency } from './search-library.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** Ids of the generated files' folders, and of the one above them all. */
export const FOLDERS = Array.from({ length: 2_100 }, (_, n) => n + 1)
export const ROOT = 1_000_000

const PAGE = 24
/** Milliseconds. */
const TARGET = 5
const VALUES = 'unique_media_id+title+description+keywords+filename+media_type+width+height+created+thumbnail_url'

/**
 * A whole `GET /search` over HTTP on a library of generated files: rights, search, 24 files read, their thumbnail URLs. All rounds of a query
 * get the same page, whose URLs are signed once; the last query goes from page to page, whose URLs are all signed.
 * @param options.rounds how often each query is asked
 */
export async function run({ files = 200_000, rounds = 51 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const puttingSeconds = await fillOwn(service, files)
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization: await service.signIn() })
  const indexing = await timed(1, () => untilIndexed(client, '/search'))
  const rows: Row[] = [
    { what: `putting ${files} files into the table`, value: puttingSeconds, unit: 's' },
    { what: 'the first search, which builds the index', value: indexing[0]! / 1000, unit: 's' },
  ]
  const same = queries().map(([kind, query, atMost]) => [kind, () => query, atMost] as const)
  const everyPage = ['everything, page by page', pageOfAll, TARGET] as const
  for (const [kind, queryOf, atMost] of [...same, everyPage]) {
    let round = 0
    const ask = () => searched(client, '/search', queryOf(round++))
    const hits = await ask()
    const usedBefore = processorSeconds(service.pid)
    const times = await timed(rounds, ask)
    const used = processorSeconds(service.pid) - usedBefore
    rows.push({ what: `${kind} (${hits} hits), p50`, value: percentile(times, 0.5), unit: 'ms', atMost })
    rows.push({ what: `${kind}, the server's processor time for one`, value: (used * 1000) / rounds, unit: 'ms' })
  }
  return rows
}

/** A query for another page each round, from the start again before the last page that any search reaches. */
const pageOfAll = (round: number): string => `folder_ids=${ROOT}&recursive=true&media_offset=${(round % 400) * PAGE}`

/** Puts files into folders of the demo company. @returns seconds that it took */
export async function fillOwn({ directory, demo, pid }: ServiceProcess, files: number): Promise<number> {
  const { company_id: companyId, user_id: userId } = demo
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  try {
    const root = { folderId: ROOT, name: 'Library', parent: null }
    await putFolders(table, companyId, [root, ...FOLDERS.map((folderId) => ({ folderId, name: `Folder ${folderId}`, parent: ROOT }))])
    const started = performance.now()
    await putFiles(table, { companyId, userId }, library(files))
    return (performance.now() - started) / 1000
  } finally {
    table.close()
    // The server looks at every change that was made, for work to do.
    await untilIdle(pid)
  }
}

/** Kinds of query with their targets in milliseconds. */
export function queries(): [kind: string, query: string, atMost: number][] {
  const words = wordsByFrequency()
  const mid = words[149]!
  const common = words[7]!
  const prefix = words[29]!.slice(0, 3)
  const someFolders = FOLDERS.filter((folderId) => folderId % 10 === 0).join('+')
  return [
    ['a word', `q=${mid}`, TARGET],
    ['a word, newest first', `q=${mid}&order=created`, TARGET],
    ['two words', `q=${mid}+${common}`, TARGET],
    ['a common word', `q=${common}`, TARGET],
    ['a 3-letter prefix', `q=${prefix}`, TARGET],
    ['everything, newest first', `folder_ids=${ROOT}&recursive=true&order=created`, TARGET],
    ['a word in a folder', `q=${mid}&folder_ids=1`, TARGET],
    ['a word in 210 folders', `q=${mid}&folder_ids=${someFolders}`, TARGET],
  ]
}

/** Searches until the index is whole: a search waits for it no longer than a query may take, and then finds what is in it so far. */
export async function untilIndexed(client: KeepAliveClient, path: string): Promise<void> {
  for (;;) {
    try {
      const { partial } = JSON.parse(await client.get(`${path}?q=first&media_count=1&return_values=unique_media_id`))
      if (!partial) return
    } catch (error) {
      if (!String(error).includes('search_index_building')) throw error
    }
  }
}

/** Asks for a page of hits. @returns number of hits */
export async function searched(client: KeepAliveClient, path: string, query: string): Promise<number> {
  const answer = JSON.parse(await client.get(`${path}?${query}&media_count=${PAGE}&return_values=${VALUES}`))
  return answer.response.hits
}
