import * as z from 'zod'
import { AnswerFolderId, AnswerIsoTime, AnswerKeyId, AnswerMediaId, AnswerUserId } from '../../shared/http/fields.ts'
import { eventTypes, type StoredEvent } from '../../shared/library/feed/event.ts'
import type { FeedPage } from '../../shared/library/feed/read.ts'
import { isoTime } from '../../shared/library/time.ts'

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
      .meta({ description: 'of zips and bulk changes', examples: ['k3Jd0vX2Tq6wYpZ9aBcDeQ'] }),
  })
  .describe('ids of what it is about')

export const Event = z
  .object({
    id: z.string().meta({ description: 'the same whenever the event is told', examples: ['4207-118'] }),
    type: EventTypeName,
    created: AnswerIsoTime,
    actor: Actor,
    data: Data,
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
      },
    ],
  })

export const EventPage = z
  .object({
    events: z.array(Event).describe('oldest first'),
    cursor: z.string().meta({ description: 'where to go on', examples: ['NDIwNy4xMTg'] }),
    more: z.boolean().describe('whether there are more by now'),
  })
  .meta({ id: 'EventPage' })

export function eventPageJson({ companyId, events, cursor, more }: FeedPage): z.input<typeof EventPage> {
  return { events: events.map((event) => eventJson(companyId, event)), cursor, more }
}

function eventJson(companyId: number, { number, type, created, actor, data }: StoredEvent): z.input<typeof Event> {
  const { mediaId, folderIds, version, folderId, parent, link, jobId } = data
  return {
    ...{ id: `${companyId}-${number}`, type, created: isoTime(created) },
    actor: { user_id: actor.userId, key_id: actor.keyId },
    data: { media_id: mediaId, folder_ids: folderIds, version, folder_id: folderId, parent, link, job_id: jobId },
  }
}
