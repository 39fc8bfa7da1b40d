import { randomBytes } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import { type CompanyId, type FolderId, toCompanyId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import type { Actor } from '../actor.ts'
import { NotFound } from '../errors.ts'
import { type EventType, eventIdOf } from '../feed/event.ts'
import type { EventFilter } from '../feed/read.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'

/** A secret that signs deliveries. */
export type StoredSecret = {
  /** Encrypted as API secrets are. */
  encrypted: string
  /** End in UNIX milliseconds. Absent for the current one. */
  until?: number
}

/** A target to which a company's events are sent. */
export type WebhookRecord = Key & {
  webhookId: string
  companyId: CompanyId
  url: string
  /** Empty: all. */
  types: EventType[]
  /** Empty: all. */
  folderIds: FolderId[]
  description: string
  enabled: boolean
  /** Newest first: one, or two after a rotation. */
  secrets: StoredSecret[]
  /** Number of rotations. */
  rotations?: number
  /** Number of the last event of the feed that was queued or skipped. */
  position: number
  /** First failure since the last success, in UNIX milliseconds; absent after a success. */
  failingSince?: number
  /** Whether it answers slowly, or hasn't answered yet; then it has a job of its own kind. */
  isSlow?: boolean
  /** UNIX milliseconds */
  created: number
  by: Actor
}

const PREFIX = 'WEBHOOK#'
const SHAPE = /^(\d{1,10})-[\w-]{12}$/

export const webhookKey = (companyId: CompanyId, webhookId: string): Key => ({ pk: `COMPANY#${companyId}`, sk: `${PREFIX}${webhookId}` })

/** A new id, which has the company's id in it like ids of events. */
export const drawWebhookId = (companyId: CompanyId): string => `${companyId}-${randomBytes(9).toString('base64url')}`

/** The company of a webhook's id. @returns undefined for malformed ids */
export function companyOf(webhookId: string): CompanyId | undefined {
  const [, companyId] = SHAPE.exec(webhookId) ?? []
  return companyId === undefined ? undefined : toCompanyId(Number(companyId))
}

/** A company's webhooks, oldest first. */
export async function webhooksOf({ table }: Reading, companyId: CompanyId): Promise<WebhookRecord[]> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: PREFIX }, consistent: true }
  return (await Array.fromAsync(everyItem<WebhookRecord>(table, query))).sort((a, b) => a.created - b.created)
}

/** A webhook of a company that the caller is admin of. @throws NotFound also for other companies, Forbidden for members who aren't admins */
export async function requireWebhook({ table, access }: AuthorizedReading, webhookId: string): Promise<WebhookRecord> {
  const companyId = companyOf(webhookId)
  if (companyId === undefined || !access.isMember(companyId)) throw new NotFound('webhook')
  requireAdmin({ access }, companyId)
  const webhook = await table.get<WebhookRecord>(webhookKey(companyId, webhookId))
  if (!webhook) throw new NotFound('webhook')
  return webhook
}

/** The filter of a target's events. */
export function filterOf({ types, folderIds }: Pick<WebhookRecord, 'types' | 'folderIds'>): EventFilter {
  return { ...(types.length > 0 && { types }), ...(folderIds.length > 0 && { folderIds }) }
}

/** The number in an event's id. @returns undefined for malformed ids and other companies */
export function numberOf(companyId: CompanyId, eventId: string): number | undefined {
  const number = Number(eventId.slice(eventId.indexOf('-') + 1))
  return eventIdOf(companyId, number) === eventId ? number : undefined
}

export type DeliveryInput = { webhookId: string }

/** Delivers a target's events. One job per target, so that none waits for another. */
export const deliveryJob = new JobKind<DeliveryInput>('deliver-events')
/** The same for targets that are slow or haven't answered yet, so that they take no runs from the others. */
export const slowDeliveryJob = new JobKind<DeliveryInput>('deliver-slowly')

type Target = Pick<WebhookRecord, 'webhookId' | 'isSlow'> & { companyId: CompanyId }

export const jobFor = ({ isSlow }: Pick<WebhookRecord, 'isSlow'>): JobKind<DeliveryInput> => (isSlow ? slowDeliveryJob : deliveryJob)

/** The write that asks for the deliveries of a target. */
export function askForDelivery(library: Pick<Writing, 'clock' | 'by'>, { companyId, webhookId, isSlow }: Target) {
  return jobFor({ isSlow }).ask(library, { companyId, subject: webhookId, input: { webhookId } })
}
