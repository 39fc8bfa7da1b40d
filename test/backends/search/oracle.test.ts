import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'
import { embeddedSearch } from '../../../shared/backends/search/embedded.ts'
import { compareWithOracle } from './oracle-property.ts'

it('an engine finds what a look at every document finds, whatever the changes, their order and the query', async () => {
  await compareWithOracle(async (feed) => {
    const directory = await mkdtemp(join(tmpdir(), 'search-oracle-'))
    const engine = embeddedSearch({ directory, feed })
    return {
      engine,
      async close() {
        await engine.close()
        await rm(directory, { recursive: true })
      },
    }
  }, 150)
})
