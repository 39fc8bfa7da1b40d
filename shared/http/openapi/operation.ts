import * as z from 'zod'
import { type BytesBody, type Endpoint, isBytesBody, maxBodyBytesOf } from '../declaration/endpoint.ts'
import type { JsonSchema } from '../declaration/json-schema.ts'
import type { Method } from '../declaration/route.ts'
import { bytesOf, type Responses, withExample } from './responses.ts'
import { exampleOf, type Schemas } from './schemas.ts'
import { securityOf } from './security.ts'

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

/** The groups of operations, each with the paths that belong to it; the first that matches counts. */
const groups = [
  { name: 'Authentication', description: 'Sign in, and choose a new password.', paths: /^\/(authenticate\/|session(\/|$))/ },
  { name: 'Share links', description: 'Links for people without an account, and what they open.', paths: /^\/(share|s)(\/|$)/ },
  { name: 'Search', description: 'Find files by words, dates, folders, sizes and places.', paths: /^\/search/ },
  {
    name: 'Downloads',
    description: 'URLs from which files and their sizes are downloaded.',
    paths: /^\/media\/\{id\}\/download|^\/zip-file|\/zip-file$/,
  },
  {
    name: 'Video streaming',
    description: 'Public HLS streams of videos, and their subtitles.',
    paths: /^\/media\/\{id\}\/(stream$|metadata\/stream_url$|subtitles)/,
  },
  { name: 'Media', description: 'Files, their metadata, and the folders that hold them.', paths: /^\/(media|bulk)\// },
  { name: 'Folders', description: 'The tree of folders, its tags and its trash.', paths: /^\/folder/ },
  { name: 'Cliques', description: 'Groups of users with whom folders are shared; for admins.', paths: /^\/clique/ },
  { name: 'Upload', description: 'Register an upload, post the file to storage, finalize it.', paths: /^\/upload\// },
  { name: 'CDN', description: 'Public links to files, which are made by copying them into a CDN folder.', paths: /^\/cdn\// },
  { name: 'Events', description: 'What happens in a company, in one order.', paths: /^\/event$/ },
  { name: 'Webhooks', description: "Addresses that a company's events are sent to; for admins.", paths: /^\/webhook/ },
  { name: 'Companies', description: 'Users, keys, folders, brand and disk usage of a company.', paths: /^\/(company\/|brand$)/ },
  { name: 'Users', description: 'People, their folders and their pictures.', paths: /^\/(user\/|whoami$)/ },
  { name: 'Operation', description: 'For whoever runs the service.', paths: /^\// },
]

/** @param path of the operation: `/folder/{id}` */
export function tagOf(path: string): string {
  return groups.find(({ paths }) => paths.test(path))!.name
}

/** The document's `tags`: those in use. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf))
  return groups.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }))
}
