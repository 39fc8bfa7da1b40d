import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { rotateSecret } from '../../shared/library/webhooks/manage.ts'
import { Secret, WebhookId } from './schema.ts'

const [DEFAULT_HOURS, MAX_HOURS] = [24, 168]

export const rotateWebhookSecret = endpoint({
  route: 'POST /webhook/{webhookId}/rotate',
  summary: 'Make a new secret of a webhook; admins only',
  description:
    'For admins of the company. Deliveries are signed with the new secret and, for `overlap_hours`, with the one before as well: `webhook-signature` ' +
    'holds two values. An earlier one ends.',
  access: 'user',
  uses: { table: 'write', apiSecretsKey: 'read' },
  idempotent: true,
  shownOnce: ['secret'],
  params: { webhookId: WebhookId },
  body: z
    .strictObject({
      overlap_hours: z
        .number()
        .int()
        .min(0)
        .max(MAX_HOURS)
        .default(DEFAULT_HOURS)
        .meta({ examples: [DEFAULT_HOURS] }),
    })
    .default({ overlap_hours: DEFAULT_HOURS })
    .meta({ id: 'RotationInput', examples: [{ overlap_hours: DEFAULT_HOURS }] }),
  returns: z.object({ secret: Secret.optional() }).meta({ id: 'NewSecret' }),
  refuses: ['forbidden', 'not found'],
  async handle({ params, body, ...library }) {
    return { secret: await rotateSecret(library, params.webhookId, body.overlap_hours) }
  },
})
