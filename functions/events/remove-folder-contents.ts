import { queueConsumer } from '../../shared/events/consumer.ts'
import { removeContents, SETTLED_SECONDS } from '../../shared/library/folders/removal.ts'

/** Milliseconds after which a run hands the rest to the next one; well within the function's time. */
const LONGEST_RUN = 10 * 60 * 1000

export const removeFolderContents = queueConsumer({
  name: 'remove-folder-contents',
  summary: 'Removes everything in and below a deleted folder',
  trigger: { queue: 'removals', concurrency: 2 },
  uses: { table: 'writeByFolder', removals: 'send' },
  timeoutSeconds: 900,
  async handle({ message, table, removals, clock }) {
    const end = performance.now() + LONGEST_RUN
    const { companyId, folderId } = message
    const left = await removeContents({ table, clock }, companyId, folderId, () => performance.now() > end)
    if (left !== 'nothing') await removals.send(message, { delaySeconds: left === 'later' ? SETTLED_SECONDS : 0 })
  },
})
