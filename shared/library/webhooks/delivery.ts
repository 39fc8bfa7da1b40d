import { randomBytes } from 'node:crypto'
import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { dueTime } from '../due.ts'
import { Invalid } from '../errors.ts'
import type { StoredEvent } from '../feed/event.ts'
import type { Again } from '../jobs/run.ts'
import type { Reading, Writing } from '../library.ts'
import { requireWebhook } from './webhook.ts'

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** An event as it is sent: of the feed, or a test. */
export type SentEvent = Pick<StoredEvent, 'created' | 'actor' | 'data'> & { id: string; type: string }

/** One attempt. */
export type Attempt = {
  /** UNIX milliseconds */
  at: number
  /** null where there was no answer. */
  status: number | null
  milliseconds: number
  /** Size of the answer. */
  bytes: number
  /** What went wrong besides the status. */
  error?: string
}

/** The delivery of an event to a target. Its sort key has its state and the time of that: of the next attempt where it is pending. */
export type Delivery = Key & {
  deliveryId: string
  event: SentEvent
  attempts: Attempt[]
  ttl: number
}

/** Lifetime of a delivery after its last change. */
const KEPT_SECONDS = 30 * 86_400

export const deliveriesOf = (webhookId: string): string => `DELIVERIES#${webhookId}`

/** Prefix of the sort keys of a state's deliveries. */
export const prefixOf = (state: DeliveryState): string => `${state}#`

/** Upper bound of the sort keys of due deliveries. @param now UNIX milliseconds */
export const dueUntil = (now: number): string => `${prefixOf('pending')}${dueTime(now)}#\uffff`

const SHAPE = /^(pending|delivered|failed)#(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)#([\w-]{16})$/

/** Whether a text is the sort key of a delivery. */
export const isDeliveryKey = (sk: string): boolean => SHAPE.test(sk)

/** The state of a delivery, and its time in UNIX milliseconds. */
export function placeOf({ sk }: Key): { state: DeliveryState; time: number } {
  const [, state, time] = SHAPE.exec(sk) ?? []
  if (state === undefined || time === undefined) throw new Error(`no delivery: ${sk}`)
  return { state: state as DeliveryState, time: Date.parse(time) }
}

/** A delivery that is due at once. @param now UNIX milliseconds */
export function newDelivery(webhookId: string, event: SentEvent, now: number): Delivery {
  return placed(webhookId, { deliveryId: randomBytes(12).toString('base64url'), event, attempts: [] }, 'pending', now, now)
}

/** The writes that change a delivery's state. They fail where another run was faster. */
export function moved(
  { pk, sk, ...delivery }: Delivery,
  attempts: Attempt[],
  state: DeliveryState,
  time: number,
  now: number,
): { before: Operation; after: Operation } {
  const after = placed(pk.slice(deliveriesOf('').length), { ...delivery, attempts }, state, time, now)
  return { before: { delete: { pk, sk }, if: { pk: { exists: true } } }, after: { put: after } }
}

function placed(
  webhookId: string,
  { deliveryId, event, attempts }: Pick<Delivery, 'deliveryId' | 'event' | 'attempts'>,
  state: DeliveryState,
  time: number,
  now: number,
): Delivery {
  const key = { pk: deliveriesOf(webhookId), sk: `${prefixOf(state)}${dueTime(time)}#${deliveryId}` }
  return { ...key, deliveryId, event, attempts, ttl: Math.floor(now / 1000) + KEPT_SECONDS }
}

export interface DeliveryQuery {
  state?: DeliveryState | undefined
  cursor?: string | undefined
}

export interface DeliveryPage {
  deliveries: Delivery[]
  /** Position after the last one; undefined at the end. */
  cursor: string | undefined
}

/** Deliveries of one page. */
const PAGE = 100

/**
 * A page of a target's deliveries: pending ones, then failed and delivered ones, each newest first.
 * @throws NotFound, Forbidden, Invalid for a malformed cursor
 */
export async function listDeliveries(library: AuthorizedReading, webhookId: string, asked: DeliveryQuery): Promise<DeliveryPage> {
  await requireWebhook(library, webhookId)
  return latestDeliveries(library, webhookId, asked)
}

/** The same for the operator. @throws Invalid for a malformed cursor */
export async function latestDeliveries({ table }: Reading, webhookId: string, { state, cursor }: DeliveryQuery): Promise<DeliveryPage> {
  const behind = cursor === undefined ? undefined : keyIn(cursor, state)
  const prefix = state === undefined ? '' : prefixOf(state)
  const sk = { ...(prefix && { from: prefix }), to: behind ?? `${prefix}\uffff` }
  const query = { pk: deliveriesOf(webhookId), sk, descending: true, limit: PAGE + 2, consistent: true }
  const { items } = await table.query<Delivery>(query)
  // The range includes its end.
  const deliveries = items.filter((item) => item.sk !== behind)
  const shown = deliveries.slice(0, PAGE)
  return { deliveries: shown, cursor: deliveries.length > PAGE ? cursorAt(shown.at(-1)!.sk) : undefined }
}

const cursorAt = (sk: string): string => Buffer.from(sk).toString('base64url')

/** @throws Invalid */
function keyIn(cursor: string, state: DeliveryState | undefined): string {
  const sk = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!isDeliveryKey(sk) || !sk.startsWith(state ?? '') || cursorAt(sk) !== cursor) {
    throw new Invalid({ path: 'cursor', message: 'must be a cursor of an earlier answer to this question' })
  }
  return sk
}

/** Deliveries per transaction. */
const REMOVED_AT_ONCE = 90

/** Removes deliveries of a deleted webhook. @returns when the job runs again, where there may be more */
export async function removeDeliveries({ table }: Pick<Writing, 'table'>, webhookId: string): Promise<Again | undefined> {
  const { items } = await table.query<Delivery>({ pk: deliveriesOf(webhookId), limit: REMOVED_AT_ONCE, consistent: true })
  if (items.length === 0) return undefined
  const deletes = items.map(({ pk, sk }, n): [string, Operations[string]] => [`delivery ${n}`, { delete: { pk, sk } }])
  await table.transact(Object.fromEntries(deletes))
  return {}
}
