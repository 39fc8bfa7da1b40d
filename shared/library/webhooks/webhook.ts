import { randomBytes } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import { type CompanyId, type FolderId, toCompanyId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import type { Actor } from '../actor.ts'
import { NotFound } from '../errors.ts'
import { type EventType, eventIdOf } from '../feed/event.ts'
import type { EventFilter } from '../feed/read.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'

/** A secret that signs deliveries. */
export type StoredSecret = {
  /** Encrypted as API secrets are. */
  encrypted: string
  /** UNIX milliseconds when it ends. Absent of the one that was made last. */
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
  /** The newest first: one, or two while they change. */
  secrets: StoredSecret[]
  /** How often the secret was changed. */
  rotations?: number
  /** The number of the last event of the feed that was queued, or passed over. */
  position: number
  /** When it began to fail, in UNIX milliseconds; absent where the last try was a success. */
  failingSince?: number
  /** Its answers take long: other targets don't wait for them. */
  isSlow?: boolean
  /** UNIX milliseconds */
  created: number
  by: Actor
}

const PREFIX = 'WEBHOOK#'
const SHAPE = /^(\d{1,10})-[\w-]{12}$/

export const webhookKey = (companyId: CompanyId, webhookId: string): Key => ({ pk: `COMPANY#${companyId}`, sk: `${PREFIX}${webhookId}` })

/** An id that tells the company, as ids of events do. */
export const drawWebhookId = (companyId: CompanyId): string => `${companyId}-${randomBytes(9).toString('base64url')}`

/** The company of a webhook. @returns undefined where the text is no id of one */
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

/** Which events go to it. */
export function filterOf({ types, folderIds }: Pick<WebhookRecord, 'types' | 'folderIds'>): EventFilter {
  return { ...(types.length > 0 && { types }), ...(folderIds.length > 0 && { folderIds }) }
}

/** The number of an event of a company. @returns undefined where the text is no id of one */
export function numberOf(companyId: CompanyId, eventId: string): number | undefined {
  const number = Number(eventId.slice(eventId.indexOf('-') + 1))
  return eventIdOf(companyId, number) === eventId ? number : undefined
}
