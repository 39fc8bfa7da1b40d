import { queueConsumer } from '../../shared/events/consumer.ts'
import { importMedia as run } from '../../shared/library/imports/import-media.ts'
import { markDelayed } from '../../shared/library/media/importing.ts'

export const importMedia = queueConsumer({
  summary: 'Imports a finalized upload: digests, type, tags, metadata, facts of videos, renditions',
  trigger: { queue: 'imports' },
  uses: { table: 'write', uploads: 'consume', media: 'write', exiftool: 'use', renderer: 'use', videoProbe: 'use' },
  timeoutSeconds: 900,
  memoryMb: 3008,
  temporaryMb: 10_240,
  async handle({ message: { mediaId }, receives, lastTry, ...library }) {
    try {
      await run(library, mediaId, lastTry)
    } catch (error) {
      library.log.error('import failed', { media: mediaId, receives, error })
      if (lastTry) await markDelayed(library, mediaId)
      throw error
    }
  },
})
