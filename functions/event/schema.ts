import * as z from 'zod'
import { AnswerFolderId, AnswerIsoTime, AnswerKeyId, AnswerMediaId, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import { eventTypes } from '../../shared/library/feed/event.ts'
import type { FeedPage } from '../../shared/library/feed/read.ts'
import { feedEventJson } from './event-json.ts'

export const EventTypeName = z.enum(eventTypes)

const Actor = z
  .object({ user_id: AnswerUserId.optional(), key_id: AnswerKeyId.optional() })
  .describe('who did it: a user, or an application; of `media.created` who uploaded the file. Empty where the service or its operator did')

const Data = z
  .object({
    media_id: AnswerMediaId.optional().describe('of files, streams, imports and links; of `link.updated` the new file'),
    folder_ids: z
      .array(AnswerFolderId)
      .optional()
      .describe('of files: the folders that hold it, of `media.trashed` and `media.deleted` those that it was in; of links the CDN folder'),
    version: z
      .number()
      .int()
      .optional()
      .meta({ description: 'of files', minimum: 1, examples: [3] }),
    file_number: z
      .number()
      .int()
      .optional()
      .meta({
        description:
          'of `media.replaced`: the number that became the current one; of `media.downloaded`: the one that was downloaded by its number',
        minimum: 1,
        examples: [2],
      }),
    folder_id: AnswerFolderId.optional().describe('of folders, and of the zip of a folder'),
    parent: AnswerFolderId.nullable()
      .optional()
      .describe('of folders: the one that it is in, of `folder.trashed` that it was in; null at the root'),
    link: z
      .string()
      .optional()
      .meta({ description: 'id in the address of a link', examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
    job_id: z
      .string()
      .optional()
      .meta({ description: 'of zips and bulk changes', examples: ['Zx4Rk9Lp2VnTq7Wb0YcDsG'] }),
    percent: z
      .number()
      .int()
      .optional()
      .meta({ description: 'the step that a quota is filled to: 80, 95 or 100', examples: [80] }),
    bytes: z
      .number()
      .int()
      .optional()
      .meta({ description: 'what is taken of a quota, with uploads under way and files that wait for room', examples: [80_530_636_800] }),
    quota_bytes: z
      .number()
      .int()
      .optional()
      .meta({ description: 'the quota', examples: [100_000_000_000] }),
    share_id: z
      .string()
      .optional()
      .meta({ description: 'of share links, and of files that were downloaded or sent by one', examples: ['k3Jd0vX2Tq6wYpZ9aBcDeQ'] }),
    user_id: AnswerUserId.optional().describe('of users: who was made, changed or has left'),
  })
  .describe('ids of what it is about; of `company.quota` how far the quota is filled')

export const Event = z
  .object({
    id: z.string().meta({ description: 'the same whenever the event is told', examples: ['4207-118'] }),
    type: EventTypeName,
    created: AnswerIsoTime,
    actor: Actor,
    data: Data,
    request_id: z
      .string()
      .optional()
      .meta({ description: 'for admins: the request that it follows from', examples: ['1f0c8a52-5d0c-4c6f-8b1c-0a3c7d1e9b42'] }),
    network: z
      .string()
      .optional()
      .meta({
        description: 'for admins: where this request came from, as the /24 of an IPv4 address, the /48 of an IPv6 one',
        examples: ['192.0.2.0/24'],
      }),
  })
  .meta({
    id: 'Event',
    examples: [
      {
        id: '4207-118',
        type: 'media.updated',
        created: '2026-05-17T10:00:00Z',
        actor: { user_id: 70311 },
        data: { media_id: 902114, folder_ids: [1843027], version: 3 },
        request_id: '1f0c8a52-5d0c-4c6f-8b1c-0a3c7d1e9b42',
        network: '192.0.2.0/24',
      },
    ],
  })

export const EventPage = z
  .object({
    events: z.array(Event).describe('in the order that was asked for'),
    cursor: z.string().meta({ description: 'where to go on', examples: ['NDIwNy4xMTg'] }),
    more: z.boolean().describe('whether there are more by now'),
  })
  .meta({ id: 'EventPage' })

export function eventPageJson({ companyId, events, cursor, more }: FeedPage): z.input<typeof EventPage> {
  return { events: events.map((event) => feedEventJson(companyId, event)), cursor, more }
}
