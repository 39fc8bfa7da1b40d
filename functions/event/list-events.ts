import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText, FolderIdText, TimeText, UserIdText } from '../../shared/http/declaration/fields.ts'
import { many, wholeNumber } from '../../shared/http/declaration/query.ts'
import { readFeed } from '../../shared/library/feed/read.ts'
import { EventPage, EventTypeName, eventPageJson } from './schema.ts'

/** Events of an answer, at most and by default. */
const [MAX_EVENTS, DEFAULT_EVENTS] = [1_000, 100]

export const listEvents = endpoint({
  route: 'GET /event',
  summary: 'Follow what happens in a company',
  description:
    'Events of a company in one order, each once, from the cursor on; those of one file in the order in which it changed. Nothing ever appears behind ' +
    'a cursor: ask again with the one of the last answer, at once while there is `more`, else after a while. An answer may hold fewer events than ' +
    '`limit`, or none, and its cursor is behind those that the caller may not see. Rights are those of now: admins see all; others what they may ' +
    'READ; what was deleted or trashed who may READ one of the folders that it was in, a deleted folder who may READ the one above; zips and bulk ' +
    'changes who asked for them; `media.downloaded`, `folder.shared` and what is said of users admins alone. Of `folder_ids` callers see those that they may READ. ' +
    'Copies and moves are `media.placed`; what happens to a folder says nothing of each file in it, but for those that are deleted. ' +
    'An old cursor is 410 `cursor_expired`.',
  access: 'user or application',
  uses: { table: 'read' },
  query: z.object({
    cursor: z
      .string()
      .max(64)
      .optional()
      .meta({
        description: 'Of the last answer, or `now`; without it from the event that comes first in this order.',
        examples: ['now'],
      }),
    types: many(EventTypeName).optional().describe('Only events of these types.'),
    folder_ids: many(FolderIdText)
      .optional()
      .describe('Only events that name one of these folders in `folder_ids`, `folder_id` or `parent`.'),
    user_ids: many(UserIdText).optional().describe('Only what one of these users did.'),
    from: TimeText.optional().describe('Only events from this time on.'),
    to: TimeText.optional().describe('Only events up to this time.'),
    order: z
      .enum(['oldest', 'newest'])
      .default('oldest')
      .describe('`newest` reads back from the last event, or from the cursor. Its cursor goes on towards older events, and never expires.'),
    limit: wholeNumber(1, MAX_EVENTS).default(DEFAULT_EVENTS).describe('Most events of the answer.'),
    company_id: CompanyIdText.optional().describe("By default the caller's own company."),
  }),
  returns: EventPage,
  askForLess: 'Ask for fewer at a time by `limit`.',
  refuses: ['not found', 'gone'],
  async handle({ query, ...library }) {
    const { company_id: companyId, folder_ids: folderIds, user_ids: userIds, ...rest } = query
    return eventPageJson(await readFeed(library, { companyId, folderIds, userIds, ...rest }))
  },
})
