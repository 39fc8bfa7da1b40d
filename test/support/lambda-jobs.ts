import { setImmediate as nextTurn } from 'node:timers/promises'
import { startJobs } from '../../functions/events/start-jobs.ts'
import { lambdaWaker } from '../../shared/backends/waker/lambda.ts'
import { eventsIn } from '../../shared/library/events/failed-event.ts'
import { actorOf, type JobTable } from '../../shared/runtime/consumer.ts'
import { jobHandler } from '../../shared/runtime/job-lambda.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { by, openTestTable } from './library.ts'
import type { TestClock } from './test-clock.ts'

const log = { info() {}, warn() {}, error: console.error, with: () => log }

/**
 * Jobs of a group as on AWS: changes of the table reach start-jobs, which invokes the function of the group, and that invokes itself. Time is the
 * clock's, and nothing looks for jobs each minute.
 */
export function openLambdaJobs(kinds: JobTable, runs: number, clock: TestClock) {
  process.env.SETTINGS ??= JSON.stringify({ brand: 'SVC' })
  const { table } = openTestTable(clock)
  const counts = { pending: 0, invocations: 0 }
  const failures: unknown[] = []
  /** While it is on, functions that invoke themselves begin when the next time something settles. */
  const later = { isOn: false, wakes: [] as (() => void)[] }
  const counted = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, given)
        if (!(answer instanceof Promise)) return answer
        counts.pending += 1
        return answer.finally(() => (counts.pending -= 1))
      }
    },
  })
  const handler = jobHandler(
    'group',
    kinds,
    {},
    { table: counted, wakeNext: async () => (later.isOn ? void later.wakes.push(invoke) : invoke()), runs, clock },
  )
  function invoke(): void {
    counts.invocations += 1
    void handler().catch((error: unknown) => failures.push(error))
  }

  const waker = lambdaWaker({
    prefix: 'stack-',
    kinds: Object.keys(kinds)
      .map((kind) => `${kind}:group`)
      .join(','),
    client: { send: async () => invoke() } as never,
    clock,
  })
  let position: string | undefined
  /** Gives the changes of the table to start-jobs, as one batch. It may wait for a second. */
  async function follow(): Promise<void> {
    const { changes, position: end } = await table.readChanges(position, 10_000)
    position = end
    const events = changes.flatMap((change) => eventsIn(change, startJobs.trigger.batchesOf))
    const given = { events, by: actorOf({ name: 'start-jobs' }, '1'), table, waker, clock, log, settings: defaultSettings }
    if (events.length > 0) await startJobs.handle(given as unknown as Parameters<typeof startJobs.handle>[0])
  }
  /** Resolves when all that can happen without time has happened. */
  async function settle(): Promise<void> {
    for (const wake of later.wakes.splice(0)) wake()
    for (let idle = 0; idle < 20; idle = counts.pending === 0 ? idle + 1 : 0) await nextTurn()
    if (failures.length > 0) throw new AggregateError(failures)
  }
  return { table, jobs: { table, clock, by }, counts, later, invoke, follow, settle }
}
