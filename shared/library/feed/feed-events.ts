import { CATALOGUE, type CompanyId } from '../../vocabulary/ids.ts'
import type { DomainEvent, EventName } from '../events/domain-events.ts'

/** Domain events that feeds contain. */
export const feedEventNames = [
  'media.imported',
  'media.edited',
  'media.replaced',
  'media.placed',
  'media.downloaded',
  'media.removed',
  'import.delayed',
  'folder.created',
  'folder.renamed',
  'folder.moved',
  'folder.deleted',
  'folder.shared',
  'link.created',
  'link.updated',
  'link.deleted',
  'stream.available',
  'stream.failed',
  'zip.ready',
  'zip.failed',
  'share.created',
  'share.visited',
  'share.removed',
  'bulk.finished',
  'user.created',
  'user.changed',
  'user.left',
  'company.quota',
] as const satisfies EventName[]

/** A domain event that feeds contain. */
export type FeedEvent = DomainEvent<(typeof feedEventNames)[number]>

/** Groups the events of feeds by company, in order. The catalogue has no feed. */
export function eventsByFeed<Event extends DomainEvent>(events: readonly Event[]): Map<CompanyId, (Event & FeedEvent)[]> {
  const ofFeeds = events.filter((event): event is Event & FeedEvent => isFeedEvent(event) && event.companyId !== CATALOGUE)
  return Map.groupBy(ofFeeds, (event) => event.companyId)
}

function isFeedEvent(event: DomainEvent): event is FeedEvent {
  return (feedEventNames as readonly EventName[]).includes(event.name)
}
