import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type EmbeddedSearch, type EmbeddedSearchOptions, embeddedSearch } from '../../../shared/backends/search/embedded.ts'
import type { DocumentFeed } from '../../../shared/backends/search/port.ts'
import { COMPANY, everything } from './contract-library.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'

export { COMPANY, everything }

/** An engine on a folder of its own, for contracts. */
export async function openEmbedded(feed: DocumentFeed) {
  const directory = await mkdtemp(join(tmpdir(), 'search-'))
  const engine = embeddedSearch({ directory, feed })
  const close = async () => {
    await engine.close()
    await rm(directory, { recursive: true })
  }
  return { engine, close }
}

/** A folder of index files for one test, and engines on it. */
export async function workplace() {
  const directory = await mkdtemp(join(tmpdir(), 'search-'))
  const engines: EmbeddedSearch[] = []
  onTestFinished(async () => {
    await Promise.all(engines.map((engine) => engine.close()))
    await rm(directory, { recursive: true })
  })
  const start = (feed: DocumentFeed, options: Partial<EmbeddedSearchOptions> = {}) => {
    const engine = embeddedSearch({ directory, feed, ...options })
    engines.push(engine)
    return engine
  }
  return { directory, file: join(directory, `${COMPANY}.sqlite`), start }
}

/** A feed of so many files of the company. */
export function libraryOf(size: number, feed = new MemoryFeed()): MemoryFeed {
  feed.commit(COMPANY, ...Array.from({ length: size }, (_, n) => aDocument({ mediaId: n + 1, title: `file ${n + 1}` })))
  return feed
}

/** Counts how much of a feed is read. */
export function counted(feed: DocumentFeed): DocumentFeed & { calls: number; told: number } {
  return {
    calls: 0,
    told: 0,
    documents: feed.documents.bind(feed),
    async changes(companyId, position) {
      const page = await feed.changes(companyId, position)
      this.calls++
      this.told += page.changes.length
      return page
    },
  }
}

/** How many files of the company there are. */
export const total = async (engine: EmbeddedSearch) => (await engine.search(COMPANY, everything)).total

/** Writes over an index file that is in use, as a broken disk would. */
export async function overwrite(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(size, 0xab), 0, size, 0)
  await handle.close()
  await rm(`${file}-wal`)
}
