import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'
import type { Task } from './scheduler.ts'

/** What DynamoDB does by itself: expired items are deleted, and changes that every consumer has handled. */
export function tableUpkeep({ table }: Pick<EmbeddedBackend, 'table'>, clock: Clock, changeConsumers: readonly string[]): Task[] {
  return [
    {
      name: 'expire-items',
      everyMinutes: 1,
      async work() {
        await table.expire(clock.now())
      },
    },
    {
      name: 'trim-changes',
      everyMinutes: 10,
      async work() {
        const [first, ...others] = changeConsumers
        if (first !== undefined) await table.trimChanges([first, ...others])
      },
    },
  ]
}
