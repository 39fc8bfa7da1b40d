import { changeConsumer } from '../../shared/events/consumer.ts'
import type { FolderRecord } from '../../shared/library/folders/folder.ts'

export const startRemoval = changeConsumer({
  name: 'start-removal',
  summary: 'Queues the removal of what a deleted folder held',
  trigger: { changes: { skPrefix: 'FOLDER#' }, sorts: ['changed'] },
  uses: { removals: 'send' },
  timeoutSeconds: 30,
  async handle({ change, removals }) {
    const [before, after] = [change.before, change.after] as unknown as [FolderRecord, FolderRecord]
    if (after.deleted === undefined || before.deleted !== undefined) return
    await removals.send({ companyId: after.companyId, folderId: after.folderId })
  },
})
