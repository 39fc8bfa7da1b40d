import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { drawId } from '../../../shared/library/fresh-id.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { openCatalogue } from '../../../shared/library/stock/catalogue.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { CATALOGUE, type MediaId } from '../../../shared/vocabulary/ids.ts'
import { by } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { stockContract } from './contract.ts'

stockContract('the catalogue on one machine', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'catalogue-'))
  const { backend, close } = await openEmbeddedBackend({
    directory,
    baseUrl: 'http://127.0.0.1:1',
    mailSender: 'a@example.com',
    clock: systemClock,
  })
  const { table, media: objects, stock } = backend
  return {
    stock,
    async put({ hasThumbnail, created = systemClock.now(), ...given }) {
      const [folder, mediaId] = [await openCatalogue({ table, clock: systemClock, by }), drawId<MediaId>()]
      const identity = { companyId: CATALOGUE, mediaId }
      const key = objectKeys.rendition(identity, { width: 320, height: 213 })
      const renditions = hasThumbnail ? { '320px': { key, mime: 'image/jpeg', width: 320, height: 213, bytes: 1 } } : {}
      await objects.put(objectKeys.original(identity), Buffer.from('text'), { contentType: 'text/plain' })
      await putMedia(table, {
        width: null,
        height: null,
        ...given,
        ...identity,
        uploadedBy: 0,
        folders: [contentsOf(folder)],
        renditions,
        created,
        modified: created,
      })
      return mediaId
    },
    async close() {
      await close()
      await rm(directory, { recursive: true, force: true })
    },
  }
})
