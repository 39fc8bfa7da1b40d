import type { Clock } from '../../shared/backends/clock/port.ts'
import type { EmbeddedBackend } from '../../shared/backends/embedded.ts'
import { POSTED_FILE_DAYS } from '../../shared/library/uploads/uploads.ts'
import type { Task } from './scheduler.ts'

/** How long posted files wait for their import, in milliseconds: what the uploads bucket's lifecycle rule is on AWS. */
const UPLOADS_LIFETIME = POSTED_FILE_DAYS * 86_400_000

/** What AWS does by itself: items, posted files and told changes that have had their time go. */
export function housekeeping(
  { table, uploads }: Pick<EmbeddedBackend, 'table' | 'uploads'>,
  clock: Clock,
  changeConsumers: readonly string[],
): Task[] {
  return [
    {
      name: 'expire-items',
      everyMinutes: 1,
      async work() {
        await table.expire(clock.now())
      },
    },
    {
      name: 'expire-uploads',
      everyMinutes: 60,
      async work() {
        await uploads.deleteModifiedBefore(clock.now() - UPLOADS_LIFETIME)
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
