import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Key, Table } from '../../../shared/backends/table/port.ts'
import { repeating } from '../../../shared/library/concurrency/repeating.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { BackgroundLoop } from './run-job.ts'

/** Work that is done again and again. */
export interface Task {
  name: string
  everyMinutes: number
  work(): Promise<void>
}

/** How often due tasks are looked for, in milliseconds. */
const TICK = 1_000
/** How soon a task that failed is tried again, in milliseconds. */
const RETRY = 60_000

type LastRun = Key & { time: number }
const lastRunKey = (name: string): Key => ({ pk: `SCHEDULE#${name}`, sk: 'SCHEDULE' })

/**
 * Runs tasks when they are due, each never twice at a time. The table holds when each was last done, so a restart neither repeats nor
 * forgets one.
 */
export function runTasks(tasks: readonly Task[], { table, clock, log }: { table: Table; clock: Clock; log: Log }): BackgroundLoop {
  const running = new Map<string, Promise<void>>()
  /** When each task is due next, by name, in UNIX milliseconds. */
  const due = new Map<string, number>()

  async function run({ name, everyMinutes, work }: Task): Promise<void> {
    const started = clock.now()
    try {
      const next = due.get(name) ?? (await firstDue(name, everyMinutes))
      due.set(name, next)
      if (next > started) return
      await work()
      await table.put({ ...lastRunKey(name), time: started } satisfies LastRun)
      due.set(name, started + everyMinutes * 60_000)
    } catch (error) {
      log.error('scheduled run failed', { function: name, error })
      due.set(name, started + RETRY)
    }
  }

  async function firstDue(name: string, everyMinutes: number): Promise<number> {
    const last = await table.get<LastRun>(lastRunKey(name))
    return last ? last.time + everyMinutes * 60_000 : 0
  }

  const ticking = repeating(clock, TICK, () => {
    for (const task of tasks) {
      if (running.has(task.name)) continue
      running.set(
        task.name,
        run(task).finally(() => running.delete(task.name)),
      )
    }
  })
  return {
    async stop() {
      await ticking[Symbol.asyncDispose]()
      await Promise.all(running.values())
    },
  }
}
