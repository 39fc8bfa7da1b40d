import type { Settings } from '../../settings.ts'
import type { Endpoint } from '../declaration/endpoint.ts'
import { type RouteSettings, splitRoute } from '../declaration/route.ts'
import { introduction } from './introduction.ts'
import { operation, tagsOf } from './operation.ts'
import { headers, Responses } from './responses.ts'
import { Schemas } from './schemas.ts'
import { securitySchemes } from './security.ts'

/** JSON of an OpenAPI 3.1 document. */
export type OpenApiDocument = { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<string, unknown>

/** Settings that the document depends on. */
export type DocumentSettings = Pick<Settings, 'brand'> & RouteSettings

/**
 * The API document, made from the table of endpoints. Schemas are JSON Schema 2020-12, as OpenAPI 3.1 has them.
 * @param endpoints by operation id
 */
export function openApiDocument(endpoints: Readonly<Record<string, Endpoint>>, settings: DocumentSettings): OpenApiDocument {
  const { brand } = settings
  const schemas = new Schemas(brand)
  schemas.add('Error', errorSchema)
  const responses = new Responses(schemas, brand)
  const paths: OpenApiDocument['paths'] = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const route = splitRoute(endpoint.route(settings))
    const { method, path } = route
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(operationId, route, endpoint, { schemas, responses }) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Media Library Service',
      version: '1',
      summary: 'A hosted media library (digital asset management).',
      description: introduction(brand),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host of this document' }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    components: { schemas: schemas.named, responses: responses.shared(), headers, securitySchemes: securitySchemes(brand) },
  }
}

const errorSchema = {
  type: 'object',
  required: ['message', 'code', 'request_id'],
  properties: {
    message: { type: 'string', description: 'For people: what is wrong, in a sentence.' },
    code: { type: 'string', pattern: '^[a-z0-9_]+$', description: 'For programs: stays the same.' },
    request_id: { type: 'string' },
    version: { type: 'integer', minimum: 1, description: 'Of `version_mismatch`: the version that the file has now.' },
    errors: {
      type: 'array',
      description: 'Every problem of an invalid input.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'The parameter, or the place in the body: `fields[2].name`. Empty for the whole.' },
          message: { type: 'string' },
        },
      },
    },
  },
}
