import * as z from 'zod'
import { downloadFrom, Item, pageOf } from '../../../../shared/backends/stock/provider-answers.ts'
import type { JsonSchema } from '../../../../shared/http/declaration/json-schema.ts'
import type { Schemas } from '../../../../shared/http/openapi/schemas.ts'
import { renditionSizes } from '../../../../shared/vocabulary/rendition-size.ts'
import { answers, json } from './answers.ts'
import { SearchParameters } from './search-parameters.ts'

const OrderedDownload = z.object({
  size: z.enum(renditionSizes).nullable().describe('Pixels of the longest side; null for the original.'),
  user: z.int().min(1).describe('The user of the library for whom it is.'),
  company: z.int().min(1).describe('The company of the library that downloads.'),
})

/** What a provider of stock answers. */
export function stockPaths(schemas: Schemas) {
  const tags = ['stock']
  const item = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
  const Page = schemas.of(pageOf(1_000), 'parameters')
  return {
    '/search': {
      get: {
        operationId: 'search',
        tags,
        summary: 'Find items',
        description: 'Answers within 8 seconds, with 4 MB at most. The total is exact, so that users can leaf through what was found.',
        parameters: queryParameters(schemas),
        responses: answers('One page of what was found.', Page),
      },
    },
    '/items/{id}': {
      get: {
        operationId: 'item',
        tags,
        summary: 'Read an item',
        description: 'Answers within 5 seconds, with 1 MB at most.',
        parameters: [item],
        responses: answers('The item.', schemas.of(Item, 'parameters'), 'There is no such item.'),
      },
    },
    '/items/{id}/downloads': {
      post: {
        operationId: 'download',
        tags,
        summary: 'Get an address from which an item can be downloaded',
        description:
          'Answers within 5 seconds, with 64 KB at most. This may be a sale. Who asks again with the same `Idempotency-Key` has lost the ' +
          'answer: that is the same sale, and is answered with an address that works. Keys are used for ten minutes.',
        parameters: [
          item,
          { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
        ],
        requestBody: { required: true, content: json(schemas.of(OrderedDownload, 'body')) },
        responses: answers(
          'Where it is.',
          schemas.of(
            downloadFrom((url) => url),
            'parameters',
          ),
          'There is no such item, or not in this size.',
        ),
      },
    },
  }
}

/** Lists are repeated parameters. */
function queryParameters(schemas: Schemas): object[] {
  const { properties = {}, required = [] } = schemas.of(SearchParameters, 'parameters') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}
