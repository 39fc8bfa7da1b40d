import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { deleteWebhook as remove } from '../../shared/library/webhooks/manage.ts'
import { WebhookId } from './schema.ts'

export const deleteWebhook = endpoint({
  route: 'DELETE /webhook/{webhookId}',
  summary: 'Remove a webhook with its deliveries; admins only',
  description: 'For admins of the company. What was pending is sent no more.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  freesSpace: true,
  params: { webhookId: WebhookId },
  returns: Empty,
  refuses: ['forbidden', 'not found'],
  async handle({ params, ...library }) {
    await remove(library, params.webhookId)
    return {}
  },
})
