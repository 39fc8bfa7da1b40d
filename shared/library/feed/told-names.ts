import type { DomainEvent, EventName } from '../events/domain-events.ts'

/** Domain events of which a company's feed tells. */
export const toldNames = [
  'media.imported',
  'media.edited',
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
  'bulk.finished',
] as const satisfies EventName[]

/** A domain event of which a company's feed tells. */
export type ToldEvent = DomainEvent<(typeof toldNames)[number]>

export function isTold(event: DomainEvent): event is ToldEvent {
  return (toldNames as readonly EventName[]).includes(event.name)
}
