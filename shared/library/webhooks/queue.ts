import type { Operations, Table } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import { eventIdOf, type StoredEvent } from '../feed/event.ts'
import { type EventFilter, eventsAfter, isInFolders, isOfType, lastNumber } from '../feed/read.ts'
import type { Writing } from '../library.ts'
import { newDelivery, type SentEvent } from './delivery.ts'
import { filterOf, type WebhookRecord, webhookKey } from './webhook.ts'

/** Events read from the feed at a time. */
const MOST_READ = 500
/** Deliveries of one transaction, which takes 100 operations. */
export const MOST_QUEUED = 90

/**
 * Queues a feed's new events. The same transaction moves the position, so each event is queued once.
 * @returns whether there is more
 */
export async function queueEvents({ table, clock }: Pick<Writing, 'table' | 'clock'>, webhook: WebhookRecord): Promise<boolean> {
  const { companyId, webhookId, position } = webhook
  const last = await lastNumber({ table }, companyId)
  if (position >= last) return false
  const read = await eventsAfter({ table, companyId, last }, position, MOST_READ)
  const wanted = read.filter(isWanted(filterOf(webhook)))
  const queued = wanted.slice(0, MOST_QUEUED)
  const behind = queued.length < wanted.length ? queued.at(-1)!.number : Math.min(last, position + MOST_READ)
  const now = clock.now()
  const changed = {
    update: webhookKey(companyId, webhookId),
    changes: { set: { position: behind } },
    if: { position: { equals: position }, enabled: { equals: true } },
  }
  const deliveries = putsOf(queued.map((event) => newDelivery(webhookId, sent(webhook, event), now)))
  return !(await held(table.transact({ webhook: changed, ...deliveries }))) || behind < last
}

/** Queues events again, whatever the outcome of earlier deliveries. */
export async function queueAgain(
  { table, clock }: { table: Table } & Pick<Writing, 'clock'>,
  webhook: WebhookRecord,
  events: readonly StoredEvent[],
): Promise<void> {
  const now = clock.now()
  for (let done = 0; done < events.length; done += MOST_QUEUED) {
    const some = events.slice(done, done + MOST_QUEUED)
    await table.transact(putsOf(some.map((event) => newDelivery(webhook.webhookId, sent(webhook, event), now))))
  }
}

/** Whether an event goes to a target. */
export function isWanted(filter: EventFilter): (event: StoredEvent) => boolean {
  const [byType, byFolder] = [isOfType(filter), isInFolders(filter)]
  return (event) => byType(event) && byFolder(event)
}

const sent = ({ companyId }: WebhookRecord, { number, type, created, actor, data }: StoredEvent): SentEvent => ({
  ...{ id: eventIdOf(companyId, number), type, created, actor, data },
})

const putsOf = (deliveries: readonly ReturnType<typeof newDelivery>[]): Operations =>
  Object.fromEntries(deliveries.map((delivery, n) => [`delivery ${n}`, { put: delivery }]))
