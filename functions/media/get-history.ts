import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { wholeNumber } from '../../shared/http/declaration/query.ts'
import { entryJson, historyPage } from '../../shared/library/history/page.ts'
import { ownMedia, stockItemWith } from '../../shared/library/stock/stock-item.ts'
import { MAX_ID } from '../../shared/vocabulary/ids.ts'
import { HistoryPage } from './history-schema.ts'

/** Entries of an answer, at most and by default. */
const [MAX_ENTRIES, DEFAULT_ENTRIES] = [100, 50]

export const getHistory = endpoint({
  route: 'GET /media/{id}/history',
  summary: 'See what was changed of a file, by whom and when',
  description:
    'Steps of the version, newest first: what was edited, with the values before and after, and which file became the current one. A step that ' +
    'changed nothing is left out, and so is all before the first edit. The last 200 of a file are kept, at most 400 days. An answer may hold fewer ' +
    'than `limit` where they are large. Needs WRITE on the file. Items of the stock library have none.',
  access: 'user',
  uses: { table: 'read', stock: 'read' },
  noStore: 'always',
  params: { id: MediaIdText },
  query: z.object({
    cursor: wholeNumber(1, MAX_ID).optional().describe('Of the last answer.'),
    limit: wholeNumber(1, MAX_ENTRIES).default(DEFAULT_ENTRIES).describe('Most entries of the answer.'),
  }),
  returns: HistoryPage,
  refuses: ['forbidden', 'conflict'],
  async handle({ params, query, ...library }) {
    const media = await ownMedia(library, params.id)
    if (!media) {
      await stockItemWith(library, params.id)
      return { entries: [], cursor: null, more: false }
    }
    const { entries, more } = await historyPage(library, media, query)
    return { entries: entries.map(entryJson), cursor: more ? String(entries.at(-1)?.entry.version) : null, more }
  },
})
