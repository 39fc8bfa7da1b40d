import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { requireWebhook } from '../../shared/library/webhooks/webhook.ts'
import { Webhook, WebhookId, webhookJson } from './schema.ts'

export const getWebhook = endpoint({
  route: 'GET /webhook/{webhookId}',
  summary: 'Show a webhook; admins only',
  description: 'For admins of the company.',
  access: 'user',
  uses: { table: 'read' },
  params: { webhookId: WebhookId },
  returns: Webhook,
  refuses: ['forbidden', 'not found'],
  async handle({ params, ...library }) {
    return webhookJson(await requireWebhook(library, params.webhookId))
  },
})
