import type { Log } from '../../log/log.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import type { DeliveredEvent, Failed } from '../events/failed-event.ts'
import { type Appending, appendEvents } from '../feed/append.ts'
import { eventsByFeed } from '../feed/feed-events.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { askForDelivery, webhooksOf } from './webhook.ts'

/** Tells companies of a change, where that failed before. */
export const tellJob = new JobKind<Failed>('tell-change')

/** Gives events their place in the feeds of companies, and tells webhooks of them. Idempotent. @returns those for which it failed */
export async function tellCompanies(library: Appending & Writing, events: readonly DeliveredEvent[]): Promise<DeliveredEvent[]> {
  const failed = new Set([...(await appendEvents(library, events)), ...(await announce(library, events))])
  return [...failed]
}

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
