import { company } from '../admin/calls.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type LibraryEvent = Schemas['Event']
export type EventType = LibraryEvent['type']

/** Which events are shown; what is empty asks for all. */
export interface EventFilter {
  person: string
  kind: string
  /** First and last day, in the reader's zone, as `2026-05-17`. */
  from: string
  until: string
}

export interface EventPage {
  events: readonly LibraryEvent[]
  /** Where older ones follow; undefined behind the oldest. */
  next: string | undefined
}

/**
 * Some events, newest first. A page is empty only where there are no more: the service answers with none where it looked at many that others did.
 * @param cursor `now`, or where an earlier page ended
 */
export async function listEvents(filter: EventFilter, cursor: string, limit: number): Promise<EventPage> {
  for (let at = cursor; ; ) {
    const query = { ...parametersOf(filter), company_id: company(), order: 'newest' as const, cursor: at, limit }
    const { events, cursor: behind, more } = await dataOf(api.GET('/event', { params: { query } }))
    if (events.length > 0 || !more) return { events, next: more ? behind : undefined }
    at = behind
  }
}

const parametersOf = ({ person, kind, from, until }: EventFilter) => ({
  ...(person && { user_ids: [Number(person)] }),
  ...(kind && { types: [kind as EventType] }),
  ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
  ...(until && { to: new Date(`${until}T23:59:59.999`).toISOString() }),
})
