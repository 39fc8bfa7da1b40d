import type { Log } from '../../log/log.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import { eventsByFeed } from '../feed/feed-events.ts'
import type { Writing } from '../library.ts'
import { askForDelivery, webhooksOf } from './webhook.ts'

/**
 * Asks for the deliveries of companies whose feeds have new events. Idempotent.
 * @returns the events of companies for which that failed
 */
export async function announce<Event extends DomainEvent>(library: Writing & { log: Log }, events: readonly Event[]): Promise<Event[]> {
  const unannounced: Event[] = []
  for (const [companyId, ofCompany] of eventsByFeed(events)) {
    try {
      await askTargets(library, companyId)
    } catch (error) {
      library.log.error('webhooks could not look for events', { companyId, error })
      unannounced.push(...ofCompany)
    }
  }
  return unannounced
}

async function askTargets(library: Writing, companyId: CompanyId): Promise<void> {
  const enabled = (await webhooksOf(library, companyId)).filter((webhook) => webhook.enabled)
  await Promise.all(
    enabled.map((webhook) => {
      const { update, changes } = askForDelivery(library, webhook)
      return library.table.update(update, changes)
    }),
  )
}
