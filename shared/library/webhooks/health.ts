import type { Clock } from '../../backends/clock/port.ts'
import type { Operation, Operations, TableReader } from '../../backends/table/port.ts'
import { listActiveAdmins } from '../accounts/users.ts'
import { held } from '../concurrency/conditional.ts'
import { DUE_ATTRIBUTES, dueTime } from '../due.ts'
import type { Writing } from '../library.ts'
import { askForMails } from '../mail/job.ts'
import { type WebhookRecord, webhookKey } from './webhook.ts'

/** What an attempt says of its target. */
export interface Health {
  isDelivered: boolean
  /** It answered, whatever. */
  isAnswered: boolean
  /** It answered 410 Gone. */
  isGone: boolean
  milliseconds: number
}

/** Milliseconds above which an answer is slow. */
const SLOW = 5_000
/** Milliseconds of failures alone after which a target is disabled. */
const DISABLED_AFTER = 5 * 86_400_000
/** Most admins who get an e-mail. */
const MOST_MAILS = 50

type State = Pick<WebhookRecord, 'enabled' | 'failingSince' | 'isSlow'>

/** Records a target's health after attempts. Mails the admins of its company when that disables it. @returns its new state */
export async function noteHealth(library: Writing, webhook: WebhookRecord, tries: readonly Health[]): Promise<State> {
  const { enabled, failingSince, isSlow } = webhook
  if (tries.length === 0) return { enabled, failingSince, isSlow }
  const now = library.clock.now()
  const isFailing = tries.every(({ isDelivered }) => !isDelivered)
  const since = isFailing ? (failingSince ?? now) : undefined
  const isGone = tries.some((each) => each.isGone)
  const isGivenUp = since !== undefined && now - since >= DISABLED_AFTER
  const after: State = {
    enabled: !isGone && !isGivenUp,
    failingSince: since,
    // A name whose failure is remembered fails fast: only an answer says that the target is quick.
    isSlow: tries.some(({ milliseconds }) => milliseconds >= SLOW) || (isSlow && !tries.some(({ isAnswered }) => isAnswered)) || undefined,
  }
  if (after.enabled && after.failingSince === failingSince && after.isSlow === isSlow) return after
  const mails = after.enabled ? {} : await mailsOf(library, webhook, isGone ? 'gone' : 'failing')
  const isNoted = await held(library.table.transact({ webhook: changeTo(webhook, after), ...mails }))
  return isNoted ? after : { enabled, failingSince, isSlow }
}

/** Conditional on the target's state, so that a concurrent change by an admin wins. */
function changeTo({ companyId, webhookId, url }: WebhookRecord, { enabled, failingSince, isSlow }: State): Operation {
  const due = enabled && failingSince !== undefined && { dueKey: failingKey, dueAt: dueTime(failingSince) }
  const set = { enabled, ...(failingSince !== undefined && { failingSince }), ...due, ...(isSlow && { isSlow }) }
  const remove = [...(failingSince === undefined ? ['failingSince'] : []), ...(due ? [] : DUE_ATTRIBUTES), ...(isSlow ? [] : ['isSlow'])]
  return { update: webhookKey(companyId, webhookId), changes: { set, remove }, if: { enabled: { equals: true }, url: { equals: url } } }
}

async function mailsOf(library: Writing, { companyId, webhookId }: WebhookRecord, why: 'gone' | 'failing'): Promise<Operations> {
  const admins = (await listActiveAdmins(library, companyId)).slice(0, MOST_MAILS)
  return askForMails(library, companyId, admins, (userId) => ({ webhook: webhookId, userId, why }))
}

/** Partition of the failing targets in the index of due records, by the time of their first failure. */
export const failingKey = 'WEBHOOKS_FAILING'

/** Log message while targets have failed for more than an hour. A stack has an alarm on it. */
export const FAILING_WEBHOOKS = 'webhooks are failing'

const HOUR_MS = 3_600_000

/** Counts the targets that have failed for more than an hour, up to a limit. */
export async function countFailing({ table, clock }: { table: Pick<TableReader, 'query'>; clock: Clock }, most = 1_000): Promise<number> {
  const long = { to: dueTime(clock.now() - HOUR_MS) }
  return (await table.query({ index: 'trashDue', pk: failingKey, sk: long, limit: most })).items.length
}
