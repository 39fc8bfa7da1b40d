import type { Secrets } from '../../backends/secrets/port.ts'
import type { WebhookTargets } from '../../backends/webhooks/port.ts'
import type { Log } from '../../log/log.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { JobKind } from '../jobs/job.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { isoTime } from '../time.ts'
import {
  type Attempt,
  type Delivery,
  deliveriesOf,
  dueUntil,
  moved,
  placeOf,
  prefixOf,
  removeDeliveries,
  type SentEvent,
} from './delivery.ts'
import { type Health, noteHealth } from './health.ts'
import { queueEvents } from './queue.ts'
import { secretsAt, signedHeaders } from './secrets.ts'
import { askForDelivery, type DeliveryInput, jobFor, type WebhookRecord, webhookKey } from './webhook.ts'

export interface Delivering extends Writing {
  webhookTargets: WebhookTargets
  apiSecretsKey: Secrets<'apiSecretsKey'>
  log: Log
}

/** Input of a run. */
interface Run {
  /** The kind of the job that runs. */
  kind: JobKind<DeliveryInput>
  companyId: CompanyId
  webhookId: string
  /** The JSON of an event. */
  shown: (event: SentEvent) => unknown
}

/** Deliveries of a target at a time. */
const AT_ONCE = 20

/**
 * Queues a target's new events, and attempts some of its due deliveries. At least once: a run that crashes may repeat deliveries.
 * @returns when the job runs again
 */
export async function deliver(library: Delivering, { kind, companyId, webhookId, shown }: Run): Promise<Again | undefined> {
  const { table, clock } = library
  const webhook = await table.get<WebhookRecord>(webhookKey(companyId, webhookId))
  if (!webhook) return removeDeliveries(library, webhookId)
  if (!webhook.enabled) return undefined
  if (jobFor(webhook) !== kind) return handedOver(library, webhook)
  const isBehind = await queueEvents(library, webhook)
  const due = await dueDeliveries(library, webhookId)
  const secrets = await secretsAt(library, webhook, clock.now())
  const tries = await Promise.all(due.map((delivery) => tryOnce(library, webhook, delivery, secrets, shown)))
  const health = await noteHealth(library, webhook, tries)
  if (!health.enabled) return undefined
  if (jobFor(health) !== kind) return handedOver(library, { ...webhook, ...health })
  if (isBehind || due.length === AT_ONCE) return {}
  return nextTry(library, webhookId)
}

async function handedOver(library: Writing, webhook: WebhookRecord): Promise<undefined> {
  await library.table.transact({ job: askForDelivery(library, webhook) })
}

/** Due deliveries, longest overdue first. */
async function dueDeliveries({ table, clock }: Pick<Writing, 'table' | 'clock'>, webhookId: string): Promise<Delivery[]> {
  const sk = { from: prefixOf('pending'), to: dueUntil(clock.now()) }
  return (await table.query<Delivery>({ pk: deliveriesOf(webhookId), sk, limit: AT_ONCE, consistent: true })).items
}

async function nextTry({ table, clock }: Pick<Writing, 'table' | 'clock'>, webhookId: string): Promise<Again | undefined> {
  const pending = { pk: deliveriesOf(webhookId), sk: { beginsWith: prefixOf('pending') }, limit: 1, consistent: true }
  const [next] = (await table.query<Delivery>(pending)).items
  return next && { inSeconds: Math.max(0, (placeOf(next).time - clock.now()) / 1000) }
}

/** Attempts a delivery once, and records the outcome. */
async function tryOnce(
  { table, clock, log, webhookTargets }: Delivering,
  { companyId, webhookId, url }: WebhookRecord,
  delivery: Delivery,
  secrets: readonly string[],
  shown: Run['shown'],
): Promise<Health> {
  const { event, deliveryId } = delivery
  const body = JSON.stringify({ type: event.type, timestamp: isoTime(event.created), data: shown(event) })
  const at = clock.now()
  const headers = signedHeaders(secrets, { id: event.id, time: at, body })
  const answer = await webhookTargets.post(url, { companyId, headers, body })
  const { status, milliseconds, bytes, error, retryAfter } = answer
  const attempt: Attempt = { at, status: status ?? null, milliseconds, bytes, ...(error !== undefined && { error }) }
  const attempts = [...delivery.attempts, attempt]
  const isDelivered = error === undefined && status !== undefined && status >= 200 && status < 300
  const isGone = status === 410
  const now = clock.now()
  const pause = isGone ? undefined : pauseAfter(attempts.length, retryAfter, now)
  if (isDelivered) await held(table.transact(moved(delivery, attempts, 'delivered', now, now)))
  else if (pause === undefined) await held(table.transact(moved(delivery, attempts, 'failed', now, now)))
  else await held(table.transact(moved(delivery, attempts, 'pending', now + pause, now)))
  if (!isDelivered) {
    const { at: _at, ...how } = attempt
    log.warn('a webhook was not delivered', { companyId, webhook: webhookId, delivery: deliveryId, attempt: attempts.length, ...how })
  }
  return { isDelivered, isAnswered: status !== undefined, isGone, milliseconds }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Pauses between attempts, in milliseconds: ten attempts over three days. */
const PAUSES = [5 * SECOND, 10 * SECOND, 30 * SECOND, 10 * MINUTE, HOUR, 5 * HOUR, 12 * HOUR, DAY, 30 * HOUR]
/** Largest random extension of a pause, as a fraction. Spreads the retries of deliveries that failed together. */
const JITTER = 0.1

/** Milliseconds from a failed attempt to the next one. @param attempts so far @returns undefined after the last one */
export function pauseAfter(attempts: number, retryAfter?: string, now = Date.now(), random = Math.random): number | undefined {
  const pause = PAUSES[attempts - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + JITTER * random()), Math.min(millisecondsIn(retryAfter, now), DAY))
}

/** Milliseconds of a `Retry-After` header: seconds, or a date. Malformed values are ignored. */
function millisecondsIn(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : date - now
}
