import { randomUUID } from 'node:crypto'
import type { Client } from '@opensearch-project/opensearch'
import { onTestFinished } from 'vitest'
import { openSearchAdmin } from '../../../shared/backends/search/opensearch/admin.ts'
import { openSearchEngine } from '../../../shared/backends/search/opensearch/engine.ts'
import { scanSearchChanges } from '../../../shared/library/media/search-feed.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, putMedia } from '../../support/media.ts'
import { everything } from './contract-library.ts'
import { testClient } from './opensearch-library.ts'

export const FILES = 25
export const all = Array.from({ length: FILES }, (_, n) => n + 1)

const MAX_WAIT_MS = 60_000

/** A library of some files, and indexes of its own in OpenSearch, none yet. */
export async function setUp() {
  const { table } = openTestTable()
  const put = (mediaId: number, revision = 1, title = `file ${mediaId}`) =>
    putMedia(table, { mediaId, folders: [1], revision, title: { en: title }, created: mediaId })
  for (const mediaId of all) await put(mediaId)
  const client = testClient()
  const current = `test-${randomUUID()}`
  const aliases = { current, next: `${current}-next` }
  const indexes = async () => Object.keys((await client.indices.get({ index: `${current}-*` })).body)
  onTestFinished(async () => {
    for (const index of await indexes()) await client.indices.delete({ index })
    await client.close()
  })
  const adminOf = (of: Client) => openSearchAdmin({ client: of, aliases, maxWaitMs: MAX_WAIT_MS, settle: 0 })
  const engine = openSearchEngine({ client, maxWaitMs: MAX_WAIT_MS, aliases })
  const refresh = () => client.indices.refresh({ index: `${current}-*` })
  return {
    ...{ table, put, indexes, refresh, adminOf },
    admin: adminOf(client),
    scan: (cursor: string | undefined) => scanSearchChanges({ scanner: { scan: (page) => table.scan({ ...page, limit: 20 }) } }, cursor),
    async found(query = {}) {
      await refresh()
      return (await engine.search(COMPANY, { ...everything, ...query })).mediaIds
    },
  }
}
