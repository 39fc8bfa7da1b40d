import { schedule } from '../../shared/events/consumer.ts'
import { countFailed, FAILED_JOBS } from '../../shared/library/jobs/operator.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { isAnyWaiting } from '../../shared/library/jobs/slots.ts'
import { countFailing, FAILING_WEBHOOKS } from '../../shared/library/webhooks/failing.ts'

export const wakeJobs = schedule({
  summary: 'Wakes jobs whose time has come, whose runs died, and those whose wake-up was lost',
  trigger: { everyMinutes: 1 },
  uses: { table: 'writeByDue', waker: 'wake' },
  timeoutSeconds: 300,
  async handle({ waker, ...library }) {
    for (const kind of waker.kinds) {
      await reviveJobs(library, kind)
      if (await isAnyWaiting(library, kind)) await waker.wake(kind)
    }
    const failed = await countFailed(library)
    if (failed.size > 0) library.log.error(FAILED_JOBS, Object.fromEntries(failed))
    const webhooks = await countFailing(library)
    if (webhooks > 0) library.log.warn(FAILING_WEBHOOKS, { webhooks })
  },
})
