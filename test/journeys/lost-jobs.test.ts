import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import type { endpoints } from '../../functions/endpoints.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import type { ApiClient } from '../../shared/http/client.ts'
import { membersOf } from '../../shared/library/cliques/members.ts'
import { mediaKey } from '../../shared/library/media/keys.ts'
import { toCliqueId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { elsewhere, type Service, startService } from '../support/service.ts'
import { imported, upload, uploadAndImport } from '../support/uploading.ts'

describe('jobs that were lost', elsewhere, () => {
  let service: Service
  let client: ApiClient<typeof endpoints>
  let queues: DatabaseSync
  let table: EmbeddedTable
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
    queues = new DatabaseSync(embeddedLayout(service.directory!).queues, { timeout: 10_000 })
    table = openEmbeddedTable(embeddedLayout(service.directory!).table)
  })
  afterAll(async () => {
    queues.close()
    table.close()
    await service.stop()
  })

  /** Waits until something holds. */
  async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
    await vi.waitUntil(holds, { timeout: 300_000 })
  }

  /** Loses all messages that are sent while `act` runs, and after it until `count` are lost. */
  async function losingJobs(count: number, act: () => Promise<unknown>): Promise<void> {
    queues.exec(`
      CREATE TABLE lost (body TEXT);
      CREATE TRIGGER lose BEFORE INSERT ON messages BEGIN INSERT INTO lost VALUES (NEW.body); SELECT RAISE(IGNORE); END`)
    await act()
    await until(() => queues.prepare('SELECT count(*) AS count FROM lost').get()!.count === count)
    queues.exec('DROP TRIGGER lose; DROP TABLE lost')
  }

  test('are swept after three hours: the import ends; what was deleted goes without messages', async () => {
    const { body: folder } = await client['create-folder']({ body: { name: 'To delete', parent: null } })
    const { id } = await uploadAndImport(client, folder.id, Buffer.from('goes'), 'goes.txt')
    const { body: clique } = await client['create-clique']({ body: { name: 'To delete', svc_id: service.demo.company_id } })
    await client['add-clique-member']({ params: { id: clique.id, userId: service.demo.user_id } })
    let waiting = 0
    await losingJobs(1, async () => {
      waiting = await upload(client, service.demo.folder_id, Buffer.from('stays'), 'stays.txt')
      await client['delete-folder']({ params: { id: folder.id } })
      await client['delete-clique']({ params: { id: clique.id } })
    })
    assert.equal((await client['get-media']({ params: { id: waiting } })).status, 202)
    service.advance(3 * 3_600)
    assert.equal((await imported(client, waiting)).filename, 'stays.txt')
    const { body: location } = await client['get-download-location']({ params: { id: waiting } })
    assert.equal(await (await fetch(location.url)).text(), 'stays')
    await until(async () => (await table.get(mediaKey(toMediaId(Number(id))))) === undefined)
    await until(async () => (await Array.fromAsync(membersOf({ table }, toCliqueId(clique.id)))).length === 0)
  })
})
