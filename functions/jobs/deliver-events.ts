import { deliver } from '../../shared/library/webhooks/deliver.ts'
import { deliveryJob } from '../../shared/library/webhooks/webhook.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { eventJson } from '../event/event-json.ts'

export const deliverEvents = job({
  kind: deliveryJob,
  group: 'webhook-jobs',
  summary: 'Sends the events of companies to the addresses that their admins named',
  uses: { table: 'write', apiSecretsKey: 'read', webhookTargets: 'send' },
  // A request has 15 seconds; those of a run go at the same time.
  seconds: 60,
  runs: 10,
  halfPerCompany: true,
  async run({ input: { webhookId }, companyId, ...library }) {
    return deliver(library, { kind: deliveryJob, companyId, webhookId, shown: eventJson })
  },
})
