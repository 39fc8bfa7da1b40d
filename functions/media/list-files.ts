import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { wholeNumber } from '../../shared/http/declaration/query.ts'
import { ownMedia, stockItemWith } from '../../shared/library/stock/stock-item.ts'
import { listFiles as list } from '../../shared/library/versions/list-files.ts'
import { fileJson, MediaFile } from './file-schema.ts'

/** Files of an answer, at most and by default. */
const [MAX_FILES, DEFAULT_FILES] = [100, 50]

export const listFiles = endpoint({
  route: 'GET /media/{id}/files',
  summary: 'List the files that a media record has had, newest first',
  description:
    'First what is being imported to replace the current file, then all numbers that are kept, from the highest down; imports that failed have a ' +
    'number, too. The current one is what the document, downloads and links show. Needs WRITE on the file: READ alone is 403. Items of the stock ' +
    'library have none.',
  access: 'user',
  uses: { table: 'read', urls: 'sign', stock: 'read' },
  params: { id: MediaIdText },
  query: z.object({
    cursor: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'Of the last answer. It stays good while numbers are added.', examples: ['number-7'] }),
    limit: wholeNumber(1, MAX_FILES).default(DEFAULT_FILES).describe('Most files of the answer.'),
  }),
  returns: z
    .object({
      files: z.array(MediaFile),
      cursor: z
        .string()
        .meta({ examples: ['number-7'] })
        .nullable()
        .describe('where to go on; null at the end'),
      more: z.boolean(),
    })
    .meta({ id: 'MediaFiles' }),
  askForLess: 'Ask for fewer at a time by `limit`.',
  refuses: ['forbidden', 'conflict'],
  async handle({ params, query, ...library }) {
    const media = await ownMedia(library, params.id)
    if (!media) {
      await stockItemWith(library, params.id)
      return { files: [], cursor: null, more: false }
    }
    const { files, cursor } = await list(library, media, query)
    return { files: files.map(fileJson), cursor: cursor ?? null, more: cursor !== undefined }
  },
})
