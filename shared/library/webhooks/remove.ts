import type { Operations } from '../../backends/table/port.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { type Delivery, deliveriesOf } from './delivery.ts'

/** Deliveries per transaction. */
const AT_ONCE = 90

/** Removes deliveries of a deleted webhook. @returns when the job runs again, where there may be more */
export async function removeDeliveries({ table }: Pick<Writing, 'table'>, webhookId: string): Promise<Again | undefined> {
  const { items } = await table.query<Delivery>({ pk: deliveriesOf(webhookId), limit: AT_ONCE, consistent: true })
  if (items.length === 0) return undefined
  const deletes = items.map(({ pk, sk }, n): [string, Operations[string]] => [`delivery ${n}`, { delete: { pk, sk } }])
  await table.transact(Object.fromEntries(deletes))
  return {}
}
