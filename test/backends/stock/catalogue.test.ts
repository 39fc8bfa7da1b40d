import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { withFreshId } from '../../../shared/library/fresh-id.ts'
import { feedPosition } from '../../../shared/library/media/change-feed.ts'
import { mediaCreation } from '../../../shared/library/media/changes.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { pointerCreation } from '../../../shared/library/media/pointers.ts'
import { openCatalogue } from '../../../shared/library/stock/catalogue.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { CATALOGUE, type MediaId, toUserId } from '../../../shared/library/vocabulary/ids.ts'
import { by } from '../../support/library.ts'
import { nothingKnown } from '../../support/stock-items.ts'
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
  const library = { table, clock: systemClock, by }
  return {
    stock,
    async put({ hasThumbnail, created = systemClock.now(), ...given }) {
      const folder = await openCatalogue(library)
      return withFreshId(async (mediaId: MediaId) => {
        const identity = { companyId: CATALOGUE, mediaId }
        const key = objectKeys.rendition(identity, { width: 320, height: 213 })
        const picture = { '320px': { key, mime: 'image/jpeg', width: 320, height: 213, bytes: 1 } }
        const record = {
          ...{ ...nothingKnown, md5: '0'.repeat(32), ...given, ...identity, uploadedBy: toUserId(0), created, modified: created },
          ...{ folders: [contentsOf(folder)], renditions: hasThumbnail ? picture : {} },
          ...feedPosition(identity, systemClock.now()),
        }
        await objects.put(objectKeys.original(identity), Buffer.from('text'), { contentType: 'text/plain' })
        await table.transact({ claim: mediaCreation(library, record), pointer: pointerCreation(library, record, folder) })
        return mediaId
      })
    },
    async close() {
      await close()
      await rm(directory, { recursive: true, force: true })
    },
  }
})
