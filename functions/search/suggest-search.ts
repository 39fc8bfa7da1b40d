import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerFolderId } from '../../shared/http/declaration/fields.ts'
import { wholeNumber } from '../../shared/http/declaration/query.ts'
import { suggest } from '../../shared/library/search/suggest.ts'

const MAX_CHARACTERS = 255
const MAX_LIMIT = 20
const DEFAULT_LIMIT = 8

const SuggestQuery = z.object({
  q: z
    .string()
    .refine((text) => Array.from(text).length <= MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
    .meta({ description: 'What was typed so far.', minLength: 1, maxLength: MAX_CHARACTERS, example: 'harb' }),
  limit: wholeNumber(1, MAX_LIMIT).default(DEFAULT_LIMIT).describe('Most words, and most folders.'),
})

export const suggestSearch = endpoint({
  route: 'GET /search/suggest',
  summary: 'Suggest what to search for',
  description:
    'Words and folders for somebody who types, of what the caller may read. Case and diacritics do not count, as in a search. Where a search ' +
    'for `q` finds nothing, `did_you_mean` is `q` with words of keywords and titles that are at most two letters away.',
  access: 'user',
  uses: { table: 'read', search: 'read' },
  query: SuggestQuery,
  returns: z
    .object({
      words: z
        .array(z.string().meta({ examples: ['harbour'] }))
        .describe('keywords, and words of titles in small letters, that begin so, the most used first'),
      folders: z
        .array(z.object({ id: AnswerFolderId, name: z.string().meta({ examples: ['Harbour 2026'] }) }))
        .describe('with a word that begins so in the name'),
      did_you_mean: z
        .string()
        .nullable()
        .meta({ description: 'null where something is found, and where no word is near', examples: ['harbour'] }),
    })
    .meta({ id: 'Suggestions' }),
  refuses: ['not ready'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ query: { q, limit }, ...library }) {
    const { words, folders, didYouMean } = await suggest(library, q, limit)
    return { words, folders, did_you_mean: didYouMean }
  },
})
