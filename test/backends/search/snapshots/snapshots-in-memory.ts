import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type EmbeddedSearch, embeddedSearch } from '../../../../shared/backends/search/embedded.ts'
import type { DocumentFeed, SearchEngine } from '../../../../shared/backends/search/port.ts'
import { openIndexWriter } from '../../../../shared/backends/search/snapshots/index-writer.ts'
import type { IndexSnapshot, IndexSnapshots } from '../../../../shared/backends/search/snapshots/port.ts'
import type { OpenEngine } from '../contract-library.ts'

/** A writer of snapshots, which stay in memory, and any number of processes that begin with the last one. */
async function snapshotsInMemory(feed: DocumentFeed) {
  const directory = await mkdtemp(join(tmpdir(), 'snapshots-'))
  const writer = openIndexWriter({ directory: join(directory, 'writer'), feed })
  const made = new Map<number, IndexSnapshot>()
  const engines: EmbeddedSearch[] = []
  const snapshots: IndexSnapshots = {
    async find(companyId) {
      return [made.get(companyId)].filter((snapshot) => snapshot !== undefined)
    },
    async isUnusable(_companyId, _snapshot, error) {
      throw error
    },
    async took() {},
  }
  return {
    /** Makes a snapshot of a company's index, of the one before. */
    async write(companyId: number): Promise<void> {
      await using index = await writer.open(companyId, await snapshots.find(companyId, writer.format))
      await index.catchUp(60_000)
      const { bytes, content } = await index.pack()
      const stored = Buffer.concat(await content.toArray())
      const read = async (start: number, end: number) => Readable.from([stored.subarray(start, end + 1)])
      made.set(companyId, { name: randomUUID(), asOf: Date.now(), bytes, stored: stored.length, read })
    },
    /** An engine with an empty folder. */
    start(): EmbeddedSearch {
      const engine = embeddedSearch({ directory: join(directory, randomUUID()), feed, snapshots })
      engines.push(engine)
      return engine
    },
    async close(): Promise<void> {
      for (const engine of engines) await engine.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** The engine in a new process for each query, of which every third begins with a new snapshot. */
export const inNewProcesses: OpenEngine = async (feed) => {
  const processes = await snapshotsInMemory(feed)
  let searches = 0
  async function inNewProcess<T>(companyId: number, work: (engine: SearchEngine) => Promise<T>): Promise<T> {
    if (searches++ % 3 === 0) await processes.write(companyId)
    const engine = processes.start()
    try {
      return await work(engine)
    } finally {
      await engine.close()
    }
  }
  return {
    engine: {
      search: (companyId, query) => inNewProcess(companyId, (engine) => engine.search(companyId, query)),
      countFiles: (companyId, folders) => inNewProcess(companyId, (engine) => engine.countFiles(companyId, folders)),
      suggest: (companyId, query) => inNewProcess(companyId, (engine) => engine.suggest(companyId, query)),
    },
    close: () => processes.close(),
  }
}
