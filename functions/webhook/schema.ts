import * as z from 'zod'
import { AnswerFolderId, AnswerIsoTime, CompanyIdJson, FolderIdJson, text } from '../../shared/http/declaration/fields.ts'
import { eventTypes } from '../../shared/library/feed/event.ts'
import { isoTime } from '../../shared/library/time.ts'
import { type Delivery, deliveryStates, placeOf } from '../../shared/library/webhooks/delivery.ts'
import type { WebhookChange } from '../../shared/library/webhooks/manage.ts'
import type { WebhookRecord } from '../../shared/library/webhooks/webhook.ts'

const [MAX_URL, MAX_DESCRIPTION, MAX_FOLDERS] = [2_000, 500, 100]

export const WebhookId = z
  .string()
  .max(64)
  .meta({ examples: ['4207-q3Jd0vX2Tq6w'] })

/** An event, by its id. */
export const EventId = z.string().meta({ examples: ['4207-118'] })

const EventTypeName = z.enum(eventTypes)

const url = text(MAX_URL)
  .describe(
    'https, port 443 or 8443, no user information, no private or reserved network. Of one machine its operator may allow http, other ports, and private networks',
  )
  .meta({ examples: ['https://hooks.example.com/library'] })
const types = z
  .array(EventTypeName)
  .max(eventTypes.length)
  .describe('of events that are sent; none: all')
  .meta({ examples: [['media.created']] })
const folderIds = z
  .array(FolderIdJson)
  .max(MAX_FOLDERS)
  .describe('events that name one of these folders in `folder_ids`, `folder_id` or `parent`; none: all')
const description = text(MAX_DESCRIPTION).meta({ examples: ['The website'] })

export const NewWebhook = z
  .object({
    url,
    types: types.optional(),
    folder_ids: folderIds.optional(),
    description: description.optional(),
    company_id: CompanyIdJson.optional().describe("by default the caller's own company"),
  })
  .meta({ id: 'NewWebhook' })

export const WebhookInput = z
  .strictObject({
    url: url.optional(),
    types: types.optional(),
    folder_ids: folderIds.optional(),
    description: description.optional(),
    enabled: z.boolean().optional().describe('while it is off nothing is queued for it; what was pending stays'),
  })
  .meta({ id: 'WebhookInput' })

export const Webhook = z
  .object({
    id: WebhookId,
    url: z.string().meta({ examples: ['https://hooks.example.com/library'] }),
    types: z.array(EventTypeName).describe('none: all'),
    folder_ids: z.array(AnswerFolderId).describe('none: all'),
    description: z.string().meta({ examples: ['The website'] }),
    enabled: z.boolean().meta({ examples: [true] }),
    created: AnswerIsoTime,
    failing_since: AnswerIsoTime.nullable().describe('when it began to fail; null where the last try was a success'),
  })
  .meta({ id: 'Webhook' })

export const Secret = z
  .string()
  .describe('verifies deliveries; shown once')
  .meta({ examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] })

const Attempt = z
  .object({
    at: AnswerIsoTime,
    status: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'of the answer; null where there was none', examples: [200] }),
    milliseconds: z
      .number()
      .int()
      .meta({ minimum: 0, examples: [180] }),
    error: z
      .string()
      .optional()
      .meta({ description: '`timeout`, `address_refused`, or what the network says', examples: ['ECONNREFUSED'] }),
  })
  .meta({ id: 'DeliveryAttempt' })

export const DeliveryPage = z
  .object({
    deliveries: z.array(
      z
        .object({
          id: z.string().meta({ examples: ['d5Hn8sB1Lq3vXwT7'] }),
          event_id: EventId,
          type: z.string().meta({ description: 'of the event, or `webhook.test`', examples: ['media.created'] }),
          state: z.enum(deliveryStates),
          attempts: z.array(Attempt).describe('oldest first'),
          next_attempt: AnswerIsoTime.nullable().describe('of those that are pending'),
        })
        .meta({ id: 'Delivery' }),
    ),
    cursor: z
      .string()
      .meta({ examples: ['ZGVsaXZlcmVk'] })
      .nullable()
      .describe('where to go on; null at the end'),
    more: z.boolean(),
  })
  .meta({ id: 'DeliveryPage' })

export function webhookJson({ webhookId, url, types, folderIds, description, enabled, created, failingSince }: WebhookRecord) {
  const failing_since = failingSince === undefined ? null : isoTime(failingSince)
  return { id: webhookId, url, types, folder_ids: folderIds, description, enabled, created: isoTime(created), failing_since }
}

export function deliveryJson(delivery: Delivery) {
  const { deliveryId, event, attempts } = delivery
  const { state, time } = placeOf(delivery)
  return {
    ...{ id: deliveryId, event_id: event.id, type: event.type, state },
    attempts: attempts.map(({ at, status, milliseconds, error }) => ({ at: isoTime(at), status, milliseconds, error })),
    next_attempt: state === 'pending' ? isoTime(time) : null,
  }
}

/** The change of a target that a body asks for. */
export function changeOf(body: Partial<z.output<typeof WebhookInput>>): WebhookChange {
  const { url, types, folder_ids: folderIds, description, enabled } = body
  return { url, types: types && [...new Set(types)], folderIds: folderIds && [...new Set(folderIds)], description, enabled }
}
