import { events, openSearchEvents } from '../../../functions/events.ts'
import type { EventTable } from '../../../shared/runtime/consumer.ts'
import type { DeploymentSettings } from './settings.ts'

/** The functions of a deployment that no request starts. */
export function eventsOf({ searchEngine }: Pick<DeploymentSettings, 'searchEngine'>): EventTable {
  return searchEngine === 'opensearch' ? openSearchEvents : events
}
