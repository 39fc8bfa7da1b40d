import * as z from 'zod'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { many } from '../../shared/http/declaration/query.ts'
import { stockLanguages } from '../../shared/vocabulary/stock-language.ts'
import { FoundMedia } from '../search/returned-values.ts'
import { SearchQuery } from '../search/search-query.ts'

const { keywords, title, description, folder_id, folder_tags, cdn_urls } = FoundMedia.shape
const inLanguage = 'in `lang`, else in English, else in another language'

/** A found item of the stock library: as own media, without `folder_ids`. */
export const FoundStockItem = FoundMedia.omit({
  folder_ids: true,
  trashed_at: true,
  trashed_from: true,
  poster_url: true,
  file_number: true,
})
  .extend({
    keywords: keywords.describe(inLanguage),
    title: title.describe(inLanguage),
    description: description.describe(inLanguage),
    folder_id: folder_id.describe('null: items are in no folders'),
    folder_tags: folder_tags.describe('none'),
    cdn_urls: cdn_urls.describe('none'),
    uploaded_by: z
      .number()
      .int()
      .meta({ const: 0, description: '0: no user uploaded it', examples: [0] })
      .optional(),
  })
  .meta({ id: 'FoundStockItem' })

const FOLDERS_REFUSED = 'must not be folder_ids: items of the stock library are in no folders'

/** Like own media, it ignores values that it does not know. */
const ReturnValue = documentedAs(
  z.string().refine((name) => name !== 'folder_ids', FOLDERS_REFUSED),
  z.enum(Object.keys(FoundStockItem.shape) as [string, ...string[]]),
)

/** All parameters of a search of the stock library. */
export const StockSearchQuery = SearchQuery.extend({
  return_values: many(ReturnValue).describe('What to tell of each item; unknown values are ignored.'),
  folder_ids: z.never('must not be given: items of the stock library are in no folders').optional(),
  recursive: SearchQuery.shape.recursive.describe('Has no effect: items of the stock library are in no folders.'),
  order: SearchQuery.shape.order
    .unwrap()
    .exclude(['byline', 'kind', 'expiration_date', 'folder'])
    .optional()
    .describe('By default `relevance` with a `q`, else `created`; `distance` needs `latitude` and `longitude`.'),
  all: SearchQuery.shape.all.describe('Search the whole library, also without `q` and ids.'),
  lang: z.enum(stockLanguages).default('en').describe('In which title, description and keywords are shown.'),
})
