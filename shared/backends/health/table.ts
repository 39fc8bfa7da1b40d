import type { TableReader } from '../table/port.ts'
import type { Health } from './port.ts'

/** How many jobs of each kind failed. */
export type FailedJobs = (library: { table: Pick<TableReader, 'query'> }) => Promise<ReadonlyMap<string, number>>

/**
 * Whether the table answers, and whether jobs failed. AWS needs no other check: storage doesn't fill up there, and dead-letter queues have alarms.
 */
export function tableHealth(table: Pick<TableReader, 'get' | 'query'>, failedJobs: FailedJobs): Health {
  return {
    async problems() {
      try {
        await table.get({ pk: 'HEALTH', sk: 'HEALTH' })
        const failed = [...(await failedJobs({ table }))].map(([kind, count]) => `${kind} ${count}`)
        if (failed.length === 0) return []
        return [{ code: 'jobs_failed', message: `Jobs that failed: ${failed.join(', ')}. Each is tried again every hour.`, stops: false }]
      } catch {
        return [{ code: 'table_unreachable', message: 'The table cannot be read.', stops: true }]
      }
    },
  }
}
