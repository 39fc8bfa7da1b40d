import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { TimeText } from '../../shared/http/declaration/fields.ts'
import { MAX_REPLAYED, replay } from '../../shared/library/webhooks/send.ts'
import { EventId, WebhookId } from './schema.ts'

const [MOST_IDS] = [100]

const ReplayInput = z
  .strictObject({
    event_ids: z.array(EventId).min(1).max(MOST_IDS).optional().describe('of the feed, whatever types and folders the webhook names'),
    from: TimeText.optional(),
    to: TimeText.optional().describe('included, as `from`'),
  })
  .refine(({ event_ids, from, to }) => (event_ids ? from === undefined && to === undefined : from !== undefined && to !== undefined), {
    error: 'must hold `event_ids`, or `from` and `to`',
  })
  .meta({ id: 'ReplayInput', examples: [{ event_ids: ['4207-118'] }] })

export const replayEvents = endpoint({
  route: 'POST /webhook/{webhookId}/replay',
  summary: 'Send events to a webhook again; admins only',
  description:
    `For admins of the company. Events with these ids, or those from \`from\` to \`to\` that go to this webhook: at most ${MAX_REPLAYED}, 400 for more, ` +
    'and for events that are kept no more. They have the ids that they had. 409 `webhook_disabled` while the webhook is off.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { webhookId: WebhookId },
  body: ReplayInput,
  returns: z
    .object({
      queued: z
        .number()
        .int()
        .meta({ minimum: 0, examples: [1] }),
    })
    .meta({ id: 'Replayed' }),
  refuses: ['forbidden', 'not found', 'conflict'],
  async handle({ params, body: { event_ids, from, to }, ...library }) {
    const wanted = event_ids ? { eventIds: [...new Set(event_ids)] } : { from: from!, to: to! }
    return { queued: await replay(library, params.webhookId, wanted) }
  },
})
