import * as z from 'zod'
import { type BytesBody, type Endpoint, isBytesBody, maxBodyBytesOf } from '../declaration/endpoint.ts'
import type { JsonSchema } from '../declaration/json-schema.ts'
import type { Method } from '../declaration/route.ts'
import { exampleOf } from './example.ts'
import { bytesOf, type Responses, withExample } from './responses.ts'
import type { Schemas } from './schemas.ts'
import { securityOf } from './security.ts'
import { tagOf } from './tags.ts'

/** One operation of the document, made from what the endpoint declares. */
export function operation(
  operationId: string,
  { method, path }: { method: Method; path: string },
  endpoint: Endpoint,
  { schemas, responses }: { schemas: Schemas; responses: Responses },
) {
  const parameters = [
    ...parametersOf('path', endpoint.params && z.object(endpoint.params), schemas),
    ...parametersOf('query', endpoint.query, schemas),
    ...(endpoint.conditional ? [ifMatch] : []),
    ...(endpoint.idempotent ? [idempotencyKey] : []),
  ]
  const requestBody = requestBodyOf(endpoint, schemas)
  return {
    operationId,
    tags: [tagOf(path)],
    summary: endpoint.summary,
    description: endpoint.description,
    security: securityOf(endpoint.access, method),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responses.of(endpoint),
  }
}

/** It has no example: the reference at `/docs` would fill that in. */
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Entity tags as `GET /media/{id}` tells them, of the versions that the change may be made on; `*` for any. Another version is 412. Weak ' +
    'tags never match.',
  schema: { type: 'string' },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names this request among all of the caller, bare or in quotes. For 24 hours the same request under the same key has no further effect and ' +
    'gets the same answer, with `Idempotency-Replayed: true`. While the first one runs it is 409 `idempotency_in_progress`; another request ' +
    'under the key is 422 `idempotency_mismatch`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function requestBodyOf(endpoint: Endpoint, schemas: Schemas) {
  const { body } = endpoint
  if (!body) return undefined
  if (isBytesBody(body)) {
    const { field, maxBytes, schema } = body
    if (field !== undefined) return { required: true, content: { 'multipart/form-data': formOf(field, body) } }
    return {
      required: true,
      description: `At most ${maxBytes} bytes.`,
      content: Object.fromEntries(body.mediaTypes.map((type) => [type, schema ? { schema } : bytesOf(type)])),
    }
  }
  const description = `At most ${maxBodyBytesOf(endpoint)} bytes of JSON in UTF-8.`
  return {
    required: !body.safeParse(undefined).success,
    description,
    content: { 'application/json': withExample(schemas.of(body, 'body'), schemas) },
  }
}

/** A file of a form. Generators of clients know bytes by `format: binary`. */
function formOf(field: string, { maxBytes, mediaTypes }: BytesBody) {
  const file = { type: 'string', format: 'binary', description: `At most ${maxBytes} bytes of ${mediaTypes.join(', ')}.` }
  return { schema: { type: 'object', required: [field], properties: { [field]: file } } }
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined, schemas: Schemas) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.of(schema, 'parameters') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  // The document doesn't show parameters that are always refused.
  const shown = Object.entries(properties).filter(([, { not }]) => not === undefined)
  return shown.map(([name, { description, ...held }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    ...shapeOf(place, held, schemas, place === 'path' || required.includes(name)),
  }))
}

/**
 * Several values of one parameter are joined by commas, one of the separators that the service knows. JSON text has a media type. An optional
 * parameter has an example only where it names one: the reference at `/docs` fills examples in, and a call with all filters finds nothing.
 */
function shapeOf(place: 'path' | 'query', held: JsonSchema, schemas: Schemas, isRequired: boolean) {
  const { contentMediaType, example = isRequired ? exampleOf(held, schemas) : undefined, ...schema } = held
  if (typeof contentMediaType === 'string') return { content: { [contentMediaType]: { schema, example } } }
  const joined = schema.type === 'array' ? { style: place === 'path' ? 'simple' : 'form', explode: false } : {}
  return { ...joined, schema, ...(example === undefined ? {} : { example }) }
}
