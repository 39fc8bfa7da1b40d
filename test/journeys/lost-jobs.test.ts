import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { endpoints } from '../../functions/endpoints.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import type { ApiClient } from '../../shared/http/client.ts'
import { jobDue } from '../../shared/library/due.ts'
import { putMedia } from '../support/media.ts'
import { elsewhere, type Service, startService } from '../support/service.ts'
import { imported } from '../support/uploading.ts'

describe('what an earlier version left waiting without a job', { ...elsewhere, timeout: 600_000 }, () => {
  let service: Service
  let client: ApiClient<typeof endpoints>
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
  })
  afterAll(() => service.stop())

  test('is done within an hour: a file is imported', async () => {
    const { uploads: folder, table: file } = embeddedLayout(service.directory!)
    const [uploads, table] = [openEmbeddedObjects(folder, systemClock), openEmbeddedTable(file)]
    const [mediaId, uploadKey] = [4711, 'upload/stays.txt']
    await uploads.put(uploadKey, Buffer.from('stays'), { contentType: 'application/octet-stream' })
    const { company_id: companyId, folder_id, user_id: uploadedBy } = service.demo
    const importing = { state: 'importing', progress: 0, kind: undefined, ...jobDue(mediaId, Date.now()) } as const
    await putMedia(table, { mediaId, companyId, uploadedBy, folders: [folder_id], filename: 'stays.txt', uploadKey, ...importing })
    uploads.close()
    table.close()

    assert.equal((await client['get-media']({ params: { id: mediaId } })).status, 202)
    service.advance(3_600)
    assert.equal((await imported(client, mediaId)).filename, 'stays.txt')
    const { body: location } = await client['get-download-location']({ params: { id: mediaId } })
    assert.equal(await (await fetch(location.url)).text(), 'stays')
  })
})
