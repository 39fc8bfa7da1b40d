import { queueConsumer } from '../../shared/events/consumer.ts'
import { removeMemberships } from '../../shared/library/cliques/removal.ts'
import { removeContents, SETTLED_SECONDS } from '../../shared/library/folders/removal.ts'

/** Milliseconds after which a run hands the rest to the next one; well within the function's time. */
const LONGEST_RUN = 10 * 60 * 1000

export const finishRemoval = queueConsumer({
  name: 'finish-removal',
  summary: 'Removes what a deleted folder or clique leaves behind',
  trigger: { queue: 'removals', concurrency: 2 },
  uses: { table: 'writeByFolder', removals: 'send' },
  timeoutSeconds: 900,
  async handle({ message, table, removals, clock }) {
    const end = performance.now() + LONGEST_RUN
    const outOfTime = () => performance.now() > end
    const left =
      'cliqueId' in message
        ? await removeMemberships({ table }, message.cliqueId, outOfTime)
        : await removeContents({ table, clock }, message.companyId, message.folderId, outOfTime)
    if (left !== 'nothing') await removals.send(message, { delaySeconds: left === 'later' ? SETTLED_SECONDS : 0 })
  },
})
