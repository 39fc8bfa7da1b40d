import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { putFiles } from './files-in-table.ts'
import { putFolders } from './folders-in-table.ts'
import type { KeepAliveClient } from './keep-alive-client.ts'
import { untilIdle } from './processes.ts'
import { library, wordsByFrequency } from './search-library.ts'
import type { ServiceProcess } from './service-process.ts'

/** Ids of the generated files' folders, and of the one above them all. */
export const FOLDERS = Array.from({ length: 2_100 }, (_, n) => n + 1)
const ROOT = 1_000_000

const VALUES = 'unique_media_id+title+description+keywords+filename+media_type+width+height+created+thumbnail_url'

/** Puts files into folders of the demo company. */
export async function fillOwn({ directory, demo, pid }: ServiceProcess, files: number): Promise<void> {
  const { company_id: companyId, user_id: userId } = demo
  const table = openEmbeddedTable(embeddedLayout(directory).table)
  try {
    const root = { folderId: ROOT, name: 'Library', parent: null }
    await putFolders(table, companyId, [root, ...FOLDERS.map((folderId) => ({ folderId, name: `Folder ${folderId}`, parent: ROOT }))])
    await putFiles(table, { companyId, userId }, library(files))
  } finally {
    table.close()
    // The server looks at every change that was made, for work to do.
    await untilIdle(pid)
  }
}

/** Queries of many kinds: words, prefixes, folders. */
export function queries(): string[] {
  const words = wordsByFrequency()
  const mid = words[149]!
  const common = words[7]!
  const someFolders = FOLDERS.filter((folderId) => folderId % 10 === 0).join('+')
  return [
    `q=${mid}`,
    `q=${mid}&order=created`,
    `q=${mid}+${common}`,
    `q=${common}`,
    `q=${words[29]!.slice(0, 3)}`,
    `folder_ids=${ROOT}&recursive=true&order=created`,
    `q=${mid}&folder_ids=1`,
    `q=${mid}&folder_ids=${someFolders}`,
  ]
}

/** Searches until the index is whole: a search waits for it no longer than a query may take, and then finds what is in it so far. */
export async function untilIndexed(client: KeepAliveClient): Promise<void> {
  for (;;) {
    try {
      const { partial } = JSON.parse(await client.get(`/search?q=first&media_count=1&return_values=unique_media_id`))
      if (!partial) return
    } catch (error) {
      if (!String(error).includes('search_index_building')) throw error
    }
  }
}

/** Asks for a page of hits. */
export async function searched(client: KeepAliveClient, query: string): Promise<void> {
  await client.get(`/search?${query}&media_count=24&return_values=${VALUES}`)
}
