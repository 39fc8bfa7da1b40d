import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { changeWebhook as change } from '../../shared/library/webhooks/manage.ts'
import { changeOf, Webhook, WebhookId, WebhookInput, webhookJson } from './schema.ts'

export const changeWebhook = endpoint({
  route: 'POST /webhook/{webhookId}',
  summary: 'Change a webhook, or turn it on or off; admins only',
  description:
    'For admins of the company. A field that is absent stays as it is. While the webhook is off nothing is queued for it. Turned on again it gets what ' +
    'happens from then on, and what was pending; what it missed is sent by `POST /webhook/{webhookId}/replay`.',
  access: 'user',
  uses: { table: 'write', webhookTargets: 'check' },
  idempotent: true,
  params: { webhookId: WebhookId },
  body: WebhookInput,
  returns: Webhook,
  refuses: ['forbidden', 'not found', 'conflict'],
  async handle({ params, body, ...library }) {
    return webhookJson(await change(library, params.webhookId, changeOf(body)))
  },
})
