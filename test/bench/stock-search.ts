import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { openCatalogue } from '../../shared/library/stock/catalogue.ts'
import { contentsOf } from '../../shared/library/tree/folder.ts'
import { CATALOGUE, type ContentsId, toCompanyId, toUserId } from '../../shared/vocabulary/ids.ts'
import type { LanguageKeywords, LanguageText } from '../../shared/vocabulary/shown-media.ts'
import { by } from '../support/library.ts'
import { routeSettings } from '../support/service.ts'
import { putFiles, type WantedFile } from './files-in-table.ts'
import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts'
import { untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { fillOwn, searched, untilIndexed } from './search-http.ts'
import { generatedId, library, wordsByFrequency } from './search-library.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { median, timed } from './timing.ts'

/** How much longer than a search of own media one of the stock library may take. */
const AT_MOST = 1.3

const OWN = '/search'
const STOCK = `/search/${routeSettings.vendor}/download`

/**
 * Searches of own media and of as many items of the stock catalogue, over HTTP, in turns. The same texts are in both, so the same hits; items have
 * them in two more languages.
 * @param options.rounds how often each query is asked
 */
export async function run({ files = 50_000, rounds = 51 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await fillOwn(service, files)
  await fillCatalogue(service, files)
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization: await service.signIn() })
  const [own] = await timed(1, () => untilIndexed(client, OWN))
  const [stock] = await timed(1, () => untilIndexed(client, STOCK))
  const rows: Row[] = [
    { what: 'the first search of own media, which builds the index', value: own! / 1000, unit: 's' },
    { what: 'the first search of the stock library', value: stock! / 1000, unit: 's' },
  ]
  for (const [kind, query] of queries()) rows.push(...(await sideBySide(client, kind, query, rounds)))
  return rows
}

async function sideBySide(client: KeepAliveClient, kind: string, query: string, rounds: number): Promise<Row[]> {
  const hits = [await searched(client, OWN, query), await searched(client, STOCK, query)]
  const times = { own: [] as number[], stock: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.own.push(...(await timed(1, () => searched(client, OWN, query))))
    times.stock.push(...(await timed(1, () => searched(client, STOCK, query))))
  }
  const [own, stock] = [median(times.own), median(times.stock)]
  return [
    { what: `${kind}, own media (${hits[0]} hits), p50`, value: own, unit: 'ms' },
    { what: `${kind}, the stock library (${hits[1]} hits), p50`, value: stock, unit: 'ms' },
    { what: `${kind}, the stock library by own media`, value: stock / own, unit: 'times', atMost: AT_MOST },
  ]
}

async function fillCatalogue({ directory, demo, pid }: ServiceProcess, files: number): Promise<void> {
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  try {
    const writing = { table, clock: systemClock, by }
    await setStock(writing, toCompanyId(demo.company_id), true)
    const folder = contentsOf(await openCatalogue(writing))
    await putFiles(table, { companyId: CATALOGUE, userId: toUserId(0) }, items(files, folder))
  } finally {
    table.close()
    await untilIdle(pid)
  }
}

/** The files of a generated library as items. Danish and German words are the English ones behind other letters, so none is found by another. */
function* items(files: number, folder: ContentsId): Generator<WantedFile> {
  let made = 0
  for (const file of library(files)) {
    const [title = '', description = ''] = [...file.title, ...file.description]
    const facts = { title: translated(title), description: translated(description), keywords: keywords(file.keywords), stock: `${made}` }
    yield { ...file, mediaId: generatedId(files + made++), folders: [folder], facts }
  }
}

const danish = (word: string) => `zd${word}`
const german = (word: string) => `zg${word}`

function translated(text: string): LanguageText {
  const words = text.split(' ')
  return { en: text, da: words.map(danish).join(' '), de: words.map(german).join(' ') }
}

function keywords(words: string[]): LanguageKeywords {
  return { en: words, da: words.map(danish), de: words.map(german) }
}

/** The kinds of query of `search-http` that name no folder. */
function queries(): [kind: string, query: string][] {
  const words = wordsByFrequency()
  const [mid, common, prefix] = [words[149]!, words[7]!, words[29]!.slice(0, 3)]
  return [
    ['a word', `q=${mid}`],
    ['a word, newest first', `q=${mid}&order=created`],
    ['two words', `q=${mid}+${common}`],
    ['a common word', `q=${common}`],
    ['a 3-letter prefix', `q=${prefix}`],
    ['everything without a word, newest first', `q=-${mid}&order=created`],
  ]
}
