import { changeConsumer } from '../../shared/events/consumer.ts'
import type { MediaRecord } from '../../shared/library/media/media.ts'
import { removeObjects } from '../../shared/library/media/remove-objects.ts'

export const removeMediaObjects = changeConsumer({
  summary: 'Removes everything stored of a file once its last pointer is gone',
  trigger: { changes: [{ sk: 'MEDIA', sorts: ['removed'] }], lanes: 10 },
  uses: { media: 'write', uploads: 'remove' },
  timeoutSeconds: 120,
  async handle({ change, media: objects, uploads }) {
    const media = change.before as unknown as MediaRecord
    await removeObjects(objects, media)
    await uploads.delete([media.uploadKey])
  },
})
