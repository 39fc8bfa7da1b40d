import { randomBytes } from 'node:crypto'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { actorShown } from '../actor.ts'
import { Conflict, Invalid } from '../errors.ts'
import { eventKey, type StoredEvent } from '../feed/event.ts'
import { eventsAfter, lastNumber, oldestKept } from '../feed/read.ts'
import { newDelivery } from './delivery.ts'
import { isWanted, queueAgain } from './queue.ts'
import { askForDelivery, filterOf, numberOf, requireWebhook, type WebhookRecord } from './webhook.ts'

/** Most events that one call sends again. */
export const MAX_REPLAYED = 1_000
/** Events read from the feed at a time. */
const AT_ONCE = 500

/** Sends a test event to one target. The feed doesn't have it. @returns the event's id @throws NotFound, Forbidden, Conflict */
export async function sendTest(library: AuthorizedWriting, webhookId: string): Promise<string> {
  const { table, clock, by } = library
  const webhook = await enabledWebhook(library, webhookId)
  const { companyId } = webhook
  const now = clock.now()
  const id = `${companyId}-test-${randomBytes(9).toString('base64url')}`
  const delivery = newDelivery(webhookId, { id, type: 'webhook.test', created: now, actor: actorShown(by), data: {} }, now)
  await table.transact({ delivery: { put: delivery }, job: askForDelivery(library, webhook) })
  return id
}

/** Which events are sent again: by ids, or the target's events in a period in UNIX milliseconds, both ends included. */
export type Replay = { eventIds: readonly string[] } | { from: number; to: number }

/** Sends events to a target again. @returns how many @throws NotFound, Forbidden, Conflict, Invalid for unknown events, and for too many */
export async function replay(library: AuthorizedWriting, webhookId: string, wanted: Replay): Promise<number> {
  const webhook = await enabledWebhook(library, webhookId)
  const events = 'from' in wanted ? await eventsOfTime(library, webhook, wanted) : await eventsWithIds(library, webhook, wanted.eventIds)
  await queueAgain(library, webhook, events)
  if (events.length > 0) await library.table.transact({ job: askForDelivery(library, webhook) })
  return events.length
}

async function enabledWebhook(library: AuthorizedReading, webhookId: string): Promise<WebhookRecord> {
  const webhook = await requireWebhook(library, webhookId)
  if (!webhook.enabled) throw new Conflict('The webhook is off: nothing is sent to it.', 'webhook_disabled')
  return webhook
}

async function eventsWithIds({ table }: AuthorizedReading, { companyId }: WebhookRecord, ids: readonly string[]): Promise<StoredEvent[]> {
  const numbers = ids.map((id) => numberOf(companyId, id))
  const keys = numbers.flatMap((number) => (number === undefined ? [] : [eventKey(companyId, number)]))
  const events = new Map((await table.getMany<StoredEvent>(keys)).map((event) => [event.number, event]))
  const unknown = ids.findIndex((_, n) => numbers[n] === undefined || !events.has(numbers[n]))
  if (unknown >= 0) throw new Invalid({ path: `event_ids[${unknown}]`, message: 'is no event of the feed, or one that is kept no more' })
  return [...events.values()]
}

async function eventsOfTime(
  { table }: AuthorizedReading,
  webhook: WebhookRecord,
  { from, to }: { from: number; to: number },
): Promise<StoredEvent[]> {
  const { companyId } = webhook
  const last = await lastNumber({ table }, companyId)
  const found: StoredEvent[] = []
  let at = (await oldestKept({ table, companyId, last, oldest: from })) - 1
  while (at < last) {
    const read = await eventsAfter({ table, companyId, last }, at, AT_ONCE)
    found.push(...read.filter((event) => event.created >= from && event.created <= to).filter(isWanted(filterOf(webhook))))
    if (found.length > MAX_REPLAYED) throw new Invalid({ path: 'from', message: `and \`to\` must name at most ${MAX_REPLAYED} events` })
    if (read.some(({ created }) => created > to)) break
    at += AT_ONCE
  }
  return found
}
