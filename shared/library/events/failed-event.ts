import type { Change } from '../../backends/table/port.ts'
import type { DomainEvent, EventName } from './domain-events.ts'
import { eventsOf } from './events-of.ts'

/** An event of a change. `id`: the same when it comes again. */
export type DeliveredEvent<Name extends EventName = EventName> = DomainEvent<Name> & { readonly id: string }

/** Those events of a change that somebody wants. */
export function eventsIn<Name extends EventName>(change: Change, wanted: readonly Name[]): DeliveredEvent<Name>[] {
  return eventsOf(change)
    .map((event, n) => ({ ...event, id: `${change.id}.${n}` }))
    .filter((event) => isWanted(event, wanted))
}

/** What a consumer failed on, as the input of the job that repeats it: an event, or a change of which the events could not be read. */
export type Failed = { event: DeliveredEvent } | { change: Pick<Change, keyof Change> }

/** The events that are to be handled again. */
export function eventsToRepeat<Name extends EventName>(failed: Failed, wanted: readonly Name[]): DeliveredEvent<Name>[] {
  return 'event' in failed ? [failed.event].filter((event) => isWanted(event, wanted)) : eventsIn(failed.change, wanted)
}

const isWanted = <Name extends EventName>(event: DeliveredEvent, wanted: readonly Name[]): event is DeliveredEvent<Name> =>
  (wanted as readonly EventName[]).includes(event.name)
