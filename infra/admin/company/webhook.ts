import { type Command, Option } from 'commander'
import type { TableReader } from '../../../shared/backends/table/port.ts'
import { listCompanies } from '../../../shared/library/accounts/companies.ts'
import { timestamp } from '../../../shared/library/time.ts'
import { type DeliveryState, deliveryStates, latestDeliveries, placeOf } from '../../../shared/library/webhooks/delivery.ts'
import { turnOff } from '../../../shared/library/webhooks/manage.ts'
import { companyOf, type WebhookRecord, webhookKey, webhooksOf } from '../../../shared/library/webhooks/webhook.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { textTable } from '../text-table.ts'
import { companyId } from '../values.ts'

/** `webhook list`, `webhook disable`, `webhook deliveries` */
export function webhookCommands(program: Command, console: Console): void {
  const webhook = noun(program, 'webhook', "addresses that companies' events are sent to")

  verb(webhook, 'list', 'list webhooks, those that have failed for longest first', ['webhook list', 'webhook list --company 42 --json'])
    .option('--company <id>', 'only those of this company', companyId)
    .action(
      act<{ company?: CompanyId }>(console, async (library, { company }) => {
        const companies = company === undefined ? (await listCompanies(library)).map((each) => each.companyId) : [company]
        const all = (await Promise.all(companies.map((each) => webhooksOf(library, each)))).flat()
        const json = all.sort((a, b) => (a.failingSince ?? Infinity) - (b.failingSince ?? Infinity) || a.created - b.created).map(shown)
        const rows = json.map(({ id, company_id, url, enabled, failing_since }) => [
          ...[id, String(company_id), url, enabled ? 'on' : 'off', failing_since ?? ''],
        ])
        return {
          json,
          text: json.length === 0 ? 'There is no webhook.' : textTable(['WEBHOOK', 'COMPANY', 'URL', 'STATE', 'FAILING SINCE (UTC)'], rows),
        }
      }),
    )

  verb(webhook, 'disable', 'turn a webhook off: nothing is queued for it until an admin turns it on', ['webhook disable 42-q3Jd0vX2Tq6w'])
    .argument('<webhook>', 'as "webhook list" names it')
    .action(
      act(console, async (library, _, [id = '']) => {
        const { companyId, webhookId } = await needWebhook(library, id)
        await turnOff(library, companyId, webhookId)
        return { json: { id: webhookId, company_id: companyId, enabled: false }, text: `Webhook ${webhookId} is off.` }
      }),
    )

  verb(webhook, 'deliveries', 'list what was sent to a webhook, the latest 100 of each state first', [
    'webhook deliveries 42-q3Jd0vX2Tq6w --state failed',
  ])
    .argument('<webhook>', 'as "webhook list" names it')
    .addOption(new Option('--state <state>', 'only those in this state').choices(deliveryStates))
    .action(
      act<{ state?: DeliveryState }>(console, async (library, { state }, [id = '']) => {
        const { webhookId } = await needWebhook(library, id)
        const { deliveries } = await latestDeliveries(library, webhookId, { state })
        const json = deliveries.map((delivery) => {
          const last = delivery.attempts.at(-1)
          const { state, time } = placeOf(delivery)
          return {
            ...{ id: delivery.deliveryId, event_id: delivery.event.id, type: delivery.event.type, state, time: timestamp(time) },
            ...{ attempts: delivery.attempts.length, status: last?.status ?? null, error: last?.error ?? null },
          }
        })
        const rows = json.map(({ event_id, type, state, time, attempts, status, error }) => [
          ...[event_id, type, state, time, String(attempts), String(status ?? ''), error ?? ''],
        ])
        const table = textTable(['EVENT', 'TYPE', 'STATE', 'TIME (UTC)', 'TRIES', 'STATUS', 'ERROR'], rows)
        return { json, text: json.length === 0 ? 'There is no such delivery.' : table }
      }),
    )
}

async function needWebhook({ table }: { table: TableReader }, id: string): Promise<WebhookRecord> {
  const company = companyOf(id)
  const webhook = company === undefined ? undefined : await table.get<WebhookRecord>(webhookKey(company, id))
  if (!webhook) throw new Error(`There is no such webhook: ${id}.`)
  return webhook
}

function shown({ webhookId, companyId, url, types, folderIds, description, enabled, created, failingSince }: WebhookRecord) {
  return {
    ...{ id: webhookId, company_id: companyId, url, types, folder_ids: folderIds, description, enabled, created: timestamp(created) },
    failing_since: failingSince === undefined ? null : timestamp(failingSince),
  }
}
