import type { AuthorizedReading } from '../access/access.ts'
import { Invalid } from '../errors.ts'
import type { Reading } from '../library.ts'
import { type Delivery, type DeliveryState, deliveriesOf, isDeliveryKey, prefixOf } from './delivery.ts'
import { requireWebhook } from './webhook.ts'

export interface DeliveryQuery {
  state?: DeliveryState | undefined
  cursor?: string | undefined
}

export interface DeliveryPage {
  deliveries: Delivery[]
  /** Position after the last one; undefined at the end. */
  cursor: string | undefined
}

const AT_ONCE = 100

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
  const query = { pk: deliveriesOf(webhookId), sk, descending: true, limit: AT_ONCE + 2, consistent: true }
  const { items } = await table.query<Delivery>(query)
  // The range includes its end.
  const deliveries = items.filter((item) => item.sk !== behind)
  const shown = deliveries.slice(0, AT_ONCE)
  return { deliveries: shown, cursor: deliveries.length > AT_ONCE ? cursorAt(shown.at(-1)!.sk) : undefined }
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
