import type { WebhookTargets } from '../../backends/webhooks/port.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { DUE_ATTRIBUTES } from '../due.ts'
import { Conflict, Invalid, NotFound } from '../errors.ts'
import type { EventType } from '../feed/event.ts'
import { lastNumber } from '../feed/read.ts'
import type { Writing } from '../library.ts'
import { type MasterKey, makeSecret } from './secrets.ts'
import { askForDelivery, drawWebhookId, requireWebhook, type WebhookRecord, webhookKey, webhooksOf } from './webhook.ts'

interface Managing extends AuthorizedWriting {
  webhookTargets: Pick<WebhookTargets, 'refusal'>
}

/** An admin's settings of a target. */
export interface WebhookChange {
  url?: string | undefined
  types?: EventType[] | undefined
  folderIds?: FolderId[] | undefined
  description?: string | undefined
  enabled?: boolean | undefined
}

const MAX_WEBHOOKS = 20
const HOUR_MS = 3_600_000

/** The requested company; the caller's own by default. @throws NotFound, Forbidden unless the caller is its admin */
function companyFor({ access }: AuthorizedReading, asked: CompanyId | undefined): CompanyId {
  const companyId = asked ?? access.companyIds[0]
  if (companyId === undefined) throw new NotFound('company')
  requireAdmin({ access }, companyId)
  return companyId
}

/** @throws NotFound, Forbidden */
export async function listWebhooks(library: AuthorizedReading, companyId?: CompanyId): Promise<WebhookRecord[]> {
  return webhooksOf(library, companyFor(library, companyId))
}

/** Creates a target for events from now on. @throws NotFound, Forbidden, Invalid, Conflict `too_many_webhooks` */
export async function createWebhook(
  library: Managing & MasterKey,
  asked: CompanyId | undefined,
  { url, types = [], folderIds = [], description = '' }: WebhookChange & { url: string },
): Promise<{ webhook: WebhookRecord; secret: string }> {
  const { table, clock, by } = library
  const companyId = companyFor(library, asked)
  checkUrl(library, url)
  if ((await webhooksOf(library, companyId)).length >= MAX_WEBHOOKS) {
    throw new Conflict(`A company has at most ${MAX_WEBHOOKS} webhooks.`, 'too_many_webhooks')
  }
  const webhookId = drawWebhookId(companyId)
  const { secret, stored } = await makeSecret(library, webhookId)
  const webhook: WebhookRecord = {
    ...webhookKey(companyId, webhookId),
    ...{
      webhookId,
      companyId,
      url,
      types,
      folderIds,
      description,
      enabled: true,
      isSlow: true,
      secrets: [stored],
      created: clock.now(),
      by,
    },
    position: await lastNumber({ table }, companyId),
  }
  await table.put(webhook, { pk: { exists: false } })
  return { webhook, secret }
}

/**
 * Changes the given attributes. A target that is enabled gets events from then on, and its pending deliveries. @throws NotFound, Forbidden, Invalid
 */
export async function changeWebhook(library: Managing, webhookId: string, change: WebhookChange): Promise<WebhookRecord> {
  const { table } = library
  const webhook = await requireWebhook(library, webhookId)
  const { companyId } = webhook
  if (change.url !== undefined) checkUrl(library, change.url)
  if (Object.values(change).every((value) => value === undefined)) return webhook
  const isEnabled = change.enabled === true && !webhook.enabled
  const position = isEnabled ? await lastNumber({ table }, companyId) : undefined
  // A new address, or enabling, resets the failures, and it has not answered yet.
  const isAnew = isEnabled || (change.url !== undefined && change.url !== webhook.url)
  const remove = [...(isAnew ? ['failingSince'] : []), ...(isAnew || change.enabled === false ? DUE_ATTRIBUTES : [])]
  const key = webhookKey(companyId, webhookId)
  const update = {
    update: key,
    changes: { set: { ...change, position, ...(isAnew && { isSlow: true }) }, remove },
    if: { pk: { exists: true } },
  } as const
  const asking = isEnabled && { job: askForDelivery(library, { companyId, webhookId, isSlow: true }) }
  if (!(await held(table.transact({ webhook: update, ...asking })))) throw new NotFound('webhook')
  const changed = await table.get<WebhookRecord>(key)
  if (!changed) throw new NotFound('webhook')
  return changed
}

/** Disables a target. Nothing is queued for it until an admin enables it. */
export async function turnOff({ table }: Pick<Writing, 'table'>, companyId: CompanyId, webhookId: string): Promise<void> {
  await held(table.update(webhookKey(companyId, webhookId), { set: { enabled: false }, remove: DUE_ATTRIBUTES }, { pk: { exists: true } }))
}

/** Removes a target; a job removes its deliveries. @throws NotFound, Forbidden */
export async function deleteWebhook(library: AuthorizedWriting, webhookId: string): Promise<void> {
  const { companyId } = await requireWebhook(library, webhookId)
  await library.table.transact({
    webhook: { delete: webhookKey(companyId, webhookId) },
    job: askForDelivery(library, { companyId, webhookId }),
  })
}

/**
 * Rotates the secret. The previous one signs too for some hours; earlier ones end at once. @returns the new secret
 * @throws NotFound, Forbidden, Conflict
 */
export async function rotateSecret(library: AuthorizedWriting & MasterKey, webhookId: string, overlapHours: number): Promise<string> {
  return retryOnConflict(async () => {
    const { table, clock } = library
    const { companyId, secrets, rotations } = await requireWebhook(library, webhookId)
    const { secret, stored } = await makeSecret(library, webhookId)
    const [last] = secrets
    const overlapping = last && overlapHours > 0 ? [{ ...last, until: clock.now() + overlapHours * HOUR_MS }] : []
    const changes = { set: { secrets: [stored, ...overlapping] }, add: { rotations: 1 } }
    await table.update(webhookKey(companyId, webhookId), changes, { pk: { exists: true }, rotations: asRead(rotations) })
    return secret
  })
}

function checkUrl({ webhookTargets }: Pick<Managing, 'webhookTargets'>, url: string): void {
  const message = webhookTargets.refusal(url)
  if (message !== undefined) throw new Invalid({ path: 'url', message })
}
