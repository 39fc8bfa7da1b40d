import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedSearch } from '../../../shared/backends/search/embedded.ts'
import { searchContract } from './contract.ts'

searchContract('embedded search', async (feed) => {
  const directory = await mkdtemp(join(tmpdir(), 'search-'))
  const engine = embeddedSearch({ directory, feed })
  return {
    engine,
    async close() {
      await engine.close()
      await rm(directory, { recursive: true })
    },
  }
})
