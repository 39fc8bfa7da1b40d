import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { createWebhook as create } from '../../shared/library/webhooks/manage.ts'
import { changeOf, NewWebhook, Secret, Webhook, webhookJson } from './schema.ts'

export const createWebhook = endpoint({
  route: 'POST /webhook',
  summary: 'Send the events of a company to an address; admins only',
  description:
    'For admins of the company. Each event of `GET /event` from now on is posted to the address as JSON, `{type, timestamp, data}`, where `data` is the ' +
    'event, signed as Standard Webhooks 1.0 says (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A 2xx within 15 seconds is success; ' +
    'redirects are not followed. 410 turns the webhook off. Everything else is tried again: ten times over three days, or when `Retry-After` says. ' +
    'An event may come more than once, with the same `webhook-id`, and not in order. After five days of nothing but failures the webhook is turned ' +
    'off, and admins get an e-mail. A company has at most 20 webhooks.',
  access: 'user',
  uses: { table: 'write', apiSecretsKey: 'read', webhookTargets: 'check' },
  idempotent: true,
  shownOnce: ['secret'],
  body: NewWebhook,
  returns: Webhook.extend({ secret: Secret.optional() }).meta({ id: 'CreatedWebhook' }),
  refuses: ['forbidden', 'not found', 'conflict'],
  async handle({ body, ...library }) {
    const { webhook, secret } = await create(library, body.company_id, { ...changeOf(body), url: body.url })
    return { ...webhookJson(webhook), secret }
  },
})
