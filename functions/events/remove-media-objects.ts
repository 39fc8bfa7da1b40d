import { removeStoredFile } from '../../shared/library/removals/file.ts'
import { changeConsumer } from '../../shared/runtime/consumer.ts'

export const removeMediaObjects = changeConsumer({
  summary: 'Removes everything stored of a file once its last pointer is gone, and what is prepared of it',
  trigger: { events: ['media.removed'], parallelism: 10 },
  uses: { table: 'write', media: 'write', uploads: 'remove' },
  timeoutSeconds: 120,
  async handle({ event, ...library }) {
    await removeStoredFile(library, event)
  },
})
