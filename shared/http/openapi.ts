import * as z from 'zod'
import type { Settings } from '../settings.ts'
import { brandedField } from './brand.ts'
import { type Endpoint, type FileInput, isFileOutput, isPageOutput, splitRoute } from './endpoint.ts'
import { requestIdHeader } from './middleware/access-log.ts'

/** JSON of an OpenAPI 3.1 document. */
export type OpenApiDocument = { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<string, unknown>

/**
 * The API document, made from the table of endpoints. Schemas are JSON Schema 2020-12, as OpenAPI 3.1 has them.
 * @param endpoints by operation id
 */
export function openApiDocument(endpoints: Readonly<Record<string, Endpoint>>, settings: Pick<Settings, 'brand'>): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const components: Components = { Error: errorSchema }
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const { method, path } = splitRoute(endpoint.route)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(operationId, endpoint, settings, components) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Media Library Service', version: '1' },
    paths,
    components: {
      schemas: brandedField(components, settings.brand),
      securitySchemes: {
        authorization: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            `\`${settings.brand}-SIMPLE-TOKEN Token=<token>\`, or where the operation says so ` +
            `\`${settings.brand}-HMAC Key=<key> HMAC=<hmac> TS=<ts>\`. GET also takes it as query parameter \`Authorization\`, in base64.`,
        },
      },
    },
  }
}

const errorSchema = {
  type: 'object',
  required: ['message', 'code', 'request_id'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['path', 'message'], properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
  },
}

function operation(operationId: string, endpoint: Endpoint, settings: Pick<Settings, 'brand'>, components: Components) {
  const headers = { [requestIdHeader(settings.brand)]: { schema: { type: 'string' } } }
  const answer = (description: string, schema?: unknown) => ({
    description,
    headers,
    ...(schema ? { content: { 'application/json': { schema: brandedField(schema, settings.brand) } } } : {}),
  })
  const others = (endpoint.also ?? [])
    .filter((kind) => kind !== 'unavailable')
    .map((kind) => OTHERS[kind])
    .map(([status, description, schema]) => [status, answer(description, schema)])
  return {
    operationId,
    summary: endpoint.summary,
    ...(endpoint.access === 'anyone' ? {} : { security: [{ authorization: [] }] }),
    parameters: [...parameters('path', endpoint.params, components), ...parameters('query', endpoint.query, components)],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: brandedField(schemaOf(endpoint.body, 'input', components), settings.brand) } },
      },
    }),
    ...(endpoint.file && { requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema(endpoint.file) } } } }),
    responses: {
      ...(isFileOutput(endpoint.returns)
        ? {
            200: { description: 'Success', headers, content: { [endpoint.returns.mediaType]: {} } },
            304: answer('Not changed since the version that If-None-Match names'),
          }
        : isPageOutput(endpoint.returns)
          ? { 200: { description: 'An HTML page', headers, content: { 'text/html': {} } } }
          : { 200: answer('Success', schemaOf(endpoint.returns, 'output', components)) }),
      ...(endpoint.accepted && { 202: answer('Not finished yet', schemaOf(endpoint.accepted, 'output', components)) }),
      ...Object.fromEntries(others),
      ...(endpoint.also?.includes('unavailable') && {
        503: answer('The service cannot do its work', schemaOf(endpoint.returns as z.ZodType, 'output', components)),
      }),
      default: answer('Error', { $ref: '#/components/schemas/Error' }),
    },
  }
}

/** Bytes have no schema; what they are in is told by their media type (OpenAPI 3.1). */
function formSchema({ field, maxBytes }: FileInput) {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: `the file, at most ${maxBytes} bytes` }
  return { type: 'object', required: [field], properties: { [field]: file } }
}

const OTHERS = {
  created: [201, 'Created', { type: 'object' }],
  'no content': [204, 'Done', undefined],
  redirect: [302, 'See Location', undefined],
} as const

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; $defs?: Record<string, unknown>; $schema?: string }

/** A schema with references to shared ones, which go among the document's components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  Object.assign(components, toComponents($defs ?? {}))
  return toComponents(own)
}

function toComponents<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

type Components = Record<string, unknown>

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined, components: Components) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components)
  return Object.entries(properties).map(([name, held]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: held,
  }))
}
