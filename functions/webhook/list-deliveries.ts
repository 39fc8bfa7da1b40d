import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { deliveryStates, listDeliveries as list } from '../../shared/library/webhooks/delivery.ts'
import { DeliveryPage, deliveryJson, WebhookId } from './schema.ts'

export const listDeliveries = endpoint({
  route: 'GET /webhook/{webhookId}/delivery',
  summary: 'See what was sent to a webhook, and what came of it; admins only',
  description:
    'For admins of the company. Deliveries that are pending come first, then those that failed, then those that were delivered, the latest of each ' +
    'first. They are kept for 30 days. Of what a target answers the service keeps the status alone.',
  access: 'user',
  uses: { table: 'read' },
  params: { webhookId: WebhookId },
  query: z.object({
    state: z.enum(deliveryStates).optional(),
    cursor: z.string().max(128).optional().describe('Of the last answer, for the same `state`.'),
  }),
  returns: DeliveryPage,
  refuses: ['forbidden', 'not found'],
  async handle({ params, query, ...library }) {
    const { deliveries, cursor } = await list(library, params.webhookId, query)
    return { deliveries: deliveries.map(deliveryJson), cursor: cursor ?? null, more: cursor !== undefined }
  },
})
