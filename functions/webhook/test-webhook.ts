import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { sendTest } from '../../shared/library/webhooks/send.ts'
import { EventId, WebhookId } from './schema.ts'

export const testWebhook = endpoint({
  route: 'POST /webhook/{webhookId}/test',
  summary: 'Send a test event to a webhook; admins only',
  description:
    'For admins of the company. The event has the type `webhook.test` and no `data`; the feed does not tell of it. What comes of it is among the ' +
    'deliveries. 409 `webhook_disabled` while the webhook is off.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { webhookId: WebhookId },
  returns: z.object({ event_id: EventId }).meta({ id: 'SentTest' }),
  refuses: ['forbidden', 'not found', 'conflict'],
  async handle({ params, ...library }) {
    return { event_id: await sendTest(library, params.webhookId) }
  },
})
