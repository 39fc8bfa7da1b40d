import { changeConsumer } from '../../shared/events/consumer.ts'
import { removeDownloadsOf } from '../../shared/library/downloads/remove.ts'
import { removeObjects } from '../../shared/library/media/remove-objects.ts'

export const removeMediaObjects = changeConsumer({
  summary: 'Removes everything stored of a file once its last pointer is gone, and what is prepared of it',
  trigger: { events: ['media.removed'], parallelism: 10 },
  uses: { table: 'write', media: 'write', uploads: 'remove' },
  timeoutSeconds: 120,
  async handle({ event, media, uploads, ...library }) {
    await removeDownloadsOf({ ...library, media }, event.mediaId)
    await removeObjects({ media }, event)
    // A file that an earlier version removed doesn't say: the sweep of uploads finds it.
    if (event.uploadKey !== undefined) await uploads.delete([event.uploadKey])
  },
})
