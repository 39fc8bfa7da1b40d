import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { tableFile } from './place.ts'
import { concurrencySuite } from './suite.ts'

concurrencySuite('several processes on one embedded table', async () => {
  const place = { directory: await mkdtemp(join(tmpdir(), 'concurrency-')) }
  const table = openEmbeddedTable(tableFile(place))
  return {
    place,
    scanner: table,
    changes: table,
    rounds: 16,
    async close() {
      table.close()
      await rm(place.directory, { recursive: true })
    },
  }
})
