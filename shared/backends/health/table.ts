import type { TableReader } from '../table/port.ts'
import type { Health, HealthProblem } from './port.ts'

/** Counts failed jobs by kind. */
export type FailedJobs = (library: { table: Pick<TableReader, 'query'> }) => Promise<ReadonlyMap<string, number>>

/** Counts webhooks that have failed for long. */
export type FailingWebhooks = (library: { table: Pick<TableReader, 'query'> }) => Promise<number>

/**
 * Checks that the table answers, and for failing jobs and webhooks. AWS needs no other check: storage doesn't fill up there, and
 * dead-letter queues have alarms.
 */
export function tableHealth(table: Pick<TableReader, 'get' | 'query'>, failedJobs: FailedJobs, failingWebhooks: FailingWebhooks): Health {
  return {
    async problems() {
      try {
        await table.get({ pk: 'HEALTH', sk: 'HEALTH' })
        const [jobs, webhooks] = await Promise.all([failedJobs({ table }), failingWebhooks({ table })])
        const failed = [...jobs].map(([kind, count]) => `${kind} ${count}`).join(', ')
        const problem = (code: string, message: string): HealthProblem => ({ code, message, stops: false })
        return [
          ...(failed === '' ? [] : [problem('jobs_failed', `Jobs that failed: ${failed}. Each is tried again every hour.`)]),
          ...(webhooks === 0 ? [] : [problem('webhooks_failing', `Webhooks that have failed for more than an hour: ${webhooks}.`)]),
        ]
      } catch {
        return [{ code: 'table_unreachable', message: 'The table cannot be read.', stops: true }]
      }
    },
  }
}
