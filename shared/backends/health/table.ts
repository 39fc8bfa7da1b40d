import type { TableReader } from '../table/port.ts'
import type { Health } from './port.ts'

/**
 * Whether the table answers. AWS needs no other check: storage doesn't fill up there, and dead-letter queues have alarms.
 */
export function tableHealth(table: Pick<TableReader, 'get'>): Health {
  return {
    async problems() {
      try {
        await table.get({ pk: 'HEALTH', sk: 'HEALTH' })
        return []
      } catch {
        return [{ code: 'table_unreachable', message: 'The table cannot be read.', stops: true }]
      }
    },
  }
}
