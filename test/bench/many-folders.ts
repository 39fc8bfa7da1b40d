import type { SearchDocument } from '../../shared/backends/search/port.ts'
import { provisioning } from '../support/accounts.ts'
import { putFiles } from './files-in-table.ts'
import { putFolders, type WantedFolder } from './folders-in-table.ts'
import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts'
import { untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { library, wordsByFrequency } from './search-library.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** Folders of the company that the larger one is compared with. */
const FEW = 1_000
/** Subfolders of each folder. */
const WIDTH = 10
const ROOT = 1_000
/** What the member may read: this folder and all below it, a tenth of all. */
const SHARED = ROOT + 1
/** Every so many-th folder has a tag of its own. */
const TAGGED = 100
/** How often a folder is named that a search of its tree names again and again. */
const NAMED = 30
/** A search of many folders may take so many times what one of few takes. */
const TARGET = 1.5

/**
 * Searches and lists by how many folders a company has: the same files in few and in many. Asked by an admin, and by a member who may read a
 * tenth of the folders.
 */
export async function run({ folders = 100_000, files = 20_000, rounds = 51 } = {}): Promise<Row[]> {
  const [few, many] = [await measured(FEW, files, rounds), await measured(folders, files, rounds)]
  return many.flatMap(({ kind, p50, isTargeted }, n) => [
    { what: `${kind}, ${FEW} folders, p50`, value: few[n]!.p50, unit: 'ms' },
    { what: `${kind}, ${folders} folders, p50`, value: p50, unit: 'ms', ...(isTargeted && { atMost: TARGET * few[n]!.p50 }) },
  ])
}

interface Measured {
  kind: string
  /** Milliseconds. */
  p50: number
  /** Whether it may not depend on the number of folders. */
  isTargeted: boolean
}

async function measured(folders: number, files: number, rounds: number): Promise<Measured[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const accounts = await provisioning(service)
  const { company_id: companyId, user_id: userId } = service.demo
  const member = await accounts.user()
  try {
    await putFolders(accounts.table, companyId, tree(folders, member.userId))
    await putFiles(accounts.table, { companyId, userId }, spread(library(files), folders))
  } finally {
    accounts.close()
  }
  await untilIdle(service.pid)
  const results: Measured[] = []
  for (const [who, authorization] of [
    ['an admin', await service.signIn()],
    ['a member', member.authorization],
  ] as const) {
    using client = keepAliveClient({ baseUrl: service.baseUrl, authorization })
    for (const [kind, path] of requests()) {
      await client.get(path)
      const times = await timed(rounds, () => client.get(path))
      results.push({ kind: `${kind}, by ${who}`, p50: percentile(times, 0.5), isTargeted: true })
    }
    if (who === 'an admin') results.push(await afterChanges(client, service, rounds))
  }
  return results
}

/** The first search after a folder was renamed. */
async function afterChanges(
  client: KeepAliveClient,
  service: Awaited<ReturnType<typeof startServiceProcess>>,
  rounds: number,
): Promise<Measured> {
  const admin = await service.client()
  let renamed = 0
  const rename = () => admin['change-folder']({ params: { id: ROOT + 1 + (renamed++ % 100) }, body: { name: `Renamed ${renamed}` } })
  const times = await timed(Math.ceil(rounds / 3), () => client.get(requests()[0]![1]), rename)
  return { kind: 'a word, another folder renamed before, by an admin', p50: percentile(times, 0.5), isTargeted: false }
}

function requests(): [kind: string, path: string][] {
  const words = wordsByFrequency()
  const search = (query: string) => `/search?${query}&media_count=24&return_values=title+filename+folder_tags`
  return [
    ['a word', search(`q=${words[149]}`)],
    ['three words, one of them a tag', search(`q=${words[2]}+${words[5]}+tagged`)],
    ['the files of a folder', search(`folder_ids=${ROOT + 17}`)],
    ['the files of a tenth of the tree, newest first', search(`folder_ids=${SHARED}&recursive=true`)],
    [`the same tree named ${NAMED} times`, search(`folder_ids=${`${SHARED}+`.repeat(NAMED)}&recursive=true`)],
    ['the list of the folders in one', `/folder?parent=${ROOT + 17}`],
  ]
}

function tree(count: number, memberId: number): WantedFolder[] {
  return Array.from({ length: count }, (_, n) => ({
    folderId: ROOT + n,
    name: `Folder ${(n * 7919) % count}`,
    parent: n === 0 ? null : ROOT + Math.floor((n - 1) / WIDTH),
    tags: n % TAGGED === TAGGED - 1 ? [`tagged ${n}`] : [],
    ...(ROOT + n === SHARED && { grants: { [memberId]: ['READ' as const] } }),
  }))
}

function* spread(files: Iterable<SearchDocument>, folders: number): Generator<SearchDocument> {
  let n = 0
  for (const file of files) yield { ...file, folders: [ROOT + ((n++ * 48_271) % folders)] }
}
