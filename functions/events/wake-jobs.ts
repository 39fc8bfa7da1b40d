import { countFailed, FAILED_JOBS } from '../../shared/library/jobs/operator.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { isAnyWaiting } from '../../shared/library/jobs/slots.ts'
import { countFailing, FAILING_WEBHOOKS } from '../../shared/library/webhooks/health.ts'
import type { Log } from '../../shared/log/log.ts'
import { schedule } from '../../shared/runtime/consumer.ts'

export const wakeJobs = schedule({
  summary: 'Wakes jobs whose time has come, whose runs died, and those whose wake-up was lost',
  trigger: { everyMinutes: 1 },
  uses: { table: 'writeByDue', waker: 'wake' },
  timeoutSeconds: 300,
  async handle({ waker, ...library }) {
    const failures: unknown[] = []
    /** Whatever fails keeps nothing else from being looked at. */
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error))

    const waiting = new Set<string>()
    const lookFor = async (kind: string) => void ((await isAnyWaiting(library, kind)) && waiting.add(waker.groupOf(kind)))
    // Half of the kinds each minute: lost wake-ups are rare, and each look is a query that a stack pays for which nobody uses.
    const minute = Math.floor(library.clock.now() / 60_000)
    const looked = waker.kinds.filter((_, position) => position % 2 === minute % 2)
    await Promise.all(looked.map((kind) => attempt(lookFor(kind))))
    await Promise.all([...waiting].map((group) => attempt(waker.wake(group))))
    await attempt(tellFailedJobs(library))
    await attempt(tellFailingWebhooks(library))
    // The last look, because any number may be due after an outage. start-jobs wakes runs for jobs that wait from now on.
    await attempt(reviveJobs(library).then(() => undefined))
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} looks at jobs failed`, { cause: failures[0] })
  },
})

async function tellFailedJobs(library: Parameters<typeof countFailed>[0] & { log: Log }): Promise<void> {
  const failed = await countFailed(library)
  if (failed.size > 0) library.log.error(FAILED_JOBS, Object.fromEntries(failed))
}

async function tellFailingWebhooks(library: Parameters<typeof countFailing>[0] & { log: Log }): Promise<void> {
  const webhooks = await countFailing(library)
  if (webhooks > 0) library.log.warn(FAILING_WEBHOOKS, { webhooks })
}
