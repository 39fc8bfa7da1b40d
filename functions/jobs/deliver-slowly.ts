import { deliver } from '../../shared/library/webhooks/deliver.ts'
import { slowDeliveryJob } from '../../shared/library/webhooks/webhook.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { eventJson } from '../event/event-json.ts'

export const deliverSlowly = job({
  kind: slowDeliveryJob,
  group: 'webhook-jobs',
  summary: 'Sends events to addresses that answer slowly or have not answered yet, so that no other waits for them',
  uses: { table: 'write', apiSecretsKey: 'read', webhookTargets: 'send' },
  seconds: 60,
  runs: 10,
  halfPerCompany: true,
  async run({ input: { webhookId }, companyId, ...library }) {
    return deliver(library, { kind: slowDeliveryJob, companyId, webhookId, shown: eventJson })
  },
})
