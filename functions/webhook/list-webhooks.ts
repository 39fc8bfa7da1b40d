import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { listWebhooks as list } from '../../shared/library/webhooks/manage.ts'
import { Webhook, webhookJson } from './schema.ts'

export const listWebhooks = endpoint({
  route: 'GET /webhook',
  summary: 'List the webhooks of a company, oldest first; admins only',
  description: 'For admins of the company. Secrets are shown where they are made, and nowhere else.',
  access: 'user',
  uses: { table: 'read' },
  query: z.object({ company_id: CompanyIdText.optional().describe("By default the caller's own company.") }),
  returns: z.object({ webhooks: z.array(Webhook) }).meta({ id: 'WebhookList' }),
  refuses: ['forbidden', 'not found'],
  async handle({ query, ...library }) {
    return { webhooks: (await list(library, query.company_id)).map(webhookJson) }
  },
})
