import type { Clock } from '../../backends/clock/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { StoredEvent } from './event.ts'
import { CLOCKS_DIFFER, eventsAfter, lastNumber, oldestKept } from './read.ts'

/** Events per query. */
const AT_ONCE = 1_000

/**
 * All kept events of a company since a time, oldest first. For the operator. Checks no rights.
 * @param since UNIX milliseconds
 */
export async function* allEvents(
  { table, clock }: { table: TableReader; clock: Clock },
  companyId: CompanyId,
  since: number,
): AsyncGenerator<StoredEvent> {
  const last = await lastNumber({ table }, companyId)
  const feed = { table, companyId, last, oldest: since - CLOCKS_DIFFER }
  for (let at = (await oldestKept(feed)) - 1; at < last; at += AT_ONCE) {
    for (const event of await eventsAfter(feed, at, AT_ONCE)) {
      if (event.created >= since && event.ttl * 1000 > clock.now()) yield event
    }
  }
}
