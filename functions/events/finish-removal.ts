import { queueConsumer } from '../../shared/events/consumer.ts'
import { outOfTimeAfter } from '../../shared/events/run-time.ts'
import { removeMemberships } from '../../shared/library/removals/clique.ts'
import { removeContents } from '../../shared/library/removals/folder.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

/** Milliseconds after which a run leaves the remaining work to another message, so that other companies' removals take turns. */
const LONGEST_RUN = 60_000

export const finishRemoval = queueConsumer({
  summary: 'Removes what a deleted folder or clique leaves behind',
  trigger: { queue: 'removals', concurrency: 2 },
  uses: { table: 'writeByFolder', removals: 'send' },
  timeoutSeconds: 900,
  async handle({ message, removals, ...library }) {
    const outOfTime = outOfTimeAfter(LONGEST_RUN)
    const group = companyGroup(message.companyId)
    if ('cliqueId' in message) {
      if (!(await removeMemberships(library, message.cliqueId, outOfTime))) await removals.send(message, { group })
      return
    }
    const left = await removeContents(library, message, outOfTime)
    if (left) await removals.send({ ...message, sweep: left.sweep }, { delaySeconds: left.delaySeconds, group })
  },
})
