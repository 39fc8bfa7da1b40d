import { changeConsumer } from '../../shared/events/consumer.ts'
import type { MediaRecord } from '../../shared/library/media/media.ts'

export const startImport = changeConsumer({
  name: 'start-import',
  summary: 'Queues the import of every file whose upload was finalized',
  trigger: { changes: { sk: 'MEDIA' }, sorts: ['created'] },
  uses: { imports: 'send' },
  timeoutSeconds: 30,
  async handle({ change, imports }) {
    const media = change.after as unknown as MediaRecord
    if (media.state === 'importing') await imports.send({ mediaId: media.mediaId })
  },
})
