import type { SearchEngine } from '../../../../shared/backends/search/port.ts'
import { changesContract } from '../contract-changes.ts'
import { snapshotsInMemory } from './snapshots-in-memory.ts'

changesContract('embedded search in a new process for each query, with snapshots', async (feed) => {
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
    },
    close: () => processes.close(),
  }
})
