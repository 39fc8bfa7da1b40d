import { randomBytes } from 'node:crypto'
import type { Key, Operation } from '../../backends/table/port.ts'
import { dueTime } from '../due.ts'
import type { StoredEvent } from '../feed/event.ts'

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
