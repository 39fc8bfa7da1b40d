import type { operations } from '../../../dist/api.d.ts'
import type { Calls } from './calls.ts'
import { wait } from './retries.ts'
import type { Schemas } from './schemas.ts'

/** Events that one request asks for. */
const PAGE = 1_000
/** Milliseconds before the feed is asked again: longer while nothing happens. */
const FIRST = 1_000
const LONGEST = 10_000

type Query = NonNullable<operations['list-events']['parameters']['query']>

export interface EventOptions extends Omit<Query, 'cursor' | 'limit'> {
  /** Whether to wait for what happens next; true by default. Else the events end with the last one that there is. */
  follow?: boolean
  /** Is told where to go on, once all events before it were taken. The next ones wait until it resolves. */
  onCursor?: (cursor: string) => void | Promise<void>
  signal?: AbortSignal | undefined
}

/** Events of the feed, behind a cursor. @throws MediaLibraryError, the signal's reason */
export async function* eventsOf(
  calls: Calls,
  cursor: string | undefined,
  { follow = true, onCursor, signal, ...query }: EventOptions,
): AsyncGenerator<Schemas['Event']> {
  let at = cursor
  for (let pause = FIRST; ; ) {
    const params = { query: { ...query, limit: PAGE, ...(at !== undefined && { cursor: at }) } }
    const page = await calls.get('/event', { params, ...(signal && { signal }) })
    yield* page.events
    if (page.cursor !== at) await onCursor?.(page.cursor)
    at = page.cursor
    if (page.more) continue
    if (!follow) return
    pause = page.events.length > 0 ? FIRST : Math.min(LONGEST, pause * 1.5)
    await wait(pause, signal)
  }
}
