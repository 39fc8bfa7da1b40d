import * as z from 'zod'
import type { Endpoint, Refusal } from '../declaration/endpoint.ts'
import type { JsonSchema } from '../declaration/json-schema.ts'
import type { Schemas } from './schemas.ts'

interface SharedRefusal {
  /** Name of the shared response. */
  name: string
  description: string
  code: string
  message: string
  headers?: Record<string, unknown>
  /** Fields of its own. */
  own?: Record<string, unknown>
}

/** Refusals of operations, by status. */
export const refusals: Readonly<Record<string, SharedRefusal>> = {
  400: {
    name: 'BadRequest',
    description:
      'Malformed or invalid input; `errors` lists what is wrong with it. Or what is asked for is too large to be answered (`answer_too_large`): `message` says how to ask for less.',
    code: 'invalid_input',
    message: 'name must not be empty.',
  },
  401: {
    name: 'Unauthorized',
    description: 'Missing or invalid authorization.',
    code: 'unauthorized',
    message: 'Missing or invalid authorization.',
    headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWWAuthenticate' } },
  },
  403: {
    name: 'Forbidden',
    description: 'The caller can see it, but may not do this.',
    code: 'forbidden',
    message: 'This needs WRITE on the folder.',
  },
  404: {
    name: 'NotFound',
    description: 'Unknown, or nothing that the caller may know of.',
    code: 'folder_not_found',
    message: 'There is no such folder.',
  },
  409: {
    name: 'Conflict',
    description:
      'Others changed it at the same time (`conflict`), or it is not ready yet (such as `importing`, `download_pending`, `preview_pending`): the same request may succeed later. Where that is known, `Retry-After` says when.',
    code: 'conflict',
    message: 'Others changed this at the same time. Try again.',
  },
  410: {
    name: 'Gone',
    description: 'It was there, and its time is over.',
    code: 'upload_expired',
    message: 'This upload has ended: no part came for 7 days.',
  },
  412: {
    name: 'VersionMismatch',
    description: 'The file has another version than `If-Match` or `if_version` names: `version`. Nothing was written.',
    code: 'version_mismatch',
    message: 'File 902114 has version 4 by now. Read it again, and repeat the change.',
    own: { version: 4 },
  },
  413: { name: 'TooLarge', description: 'The body is too large.', code: 'too_large', message: 'The body is larger than 1048576 bytes.' },
  422: {
    name: 'Unprocessable',
    description:
      'The `Idempotency-Key` was used for another request (`idempotency_mismatch`). Or what was sent is not what was announced: its size ' +
      '(`size_mismatch`), or its MD5 (`checksum_mismatch`); or it is of another type than the file that it replaces (`media_type_differs`). Nothing ' +
      'came of it.',
    code: 'idempotency_mismatch',
    message: 'This Idempotency-Key was used for another request. Use a new one for each request.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests of this kind; `Retry-After` says when to come again.',
    code: 'too_many_attempts',
    message: 'Too many failed attempts. Try again later.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  },
  503: {
    name: 'NotReady',
    description:
      'What answers this cannot do so now: the search index is being built (`search_index_building`), the search takes too long or too many run (`search_busy`), the stock library does not answer (`stock_unavailable`), or the disk of the library is full (`disk_full`, on one machine); `Retry-After` says when to come again. Or the company has more files than search has room for (`search_index_too_large`).',
    code: 'search_index_building',
    message: 'The search index is being built. Try again in a few seconds.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  },
  502: {
    name: 'OutsideFailed',
    description: 'A service outside that this needs fails, or does not answer as it should.',
    code: 'provider_failed',
    message: "Example can't sign anybody on at the moment. Try again later.",
  },
  504: {
    name: 'OutsideTimedOut',
    description: 'A service outside that this needs does not answer in time.',
    code: 'provider_timed_out',
    message: 'Example did not answer in time. Try again later.',
  },
  '5XX': {
    name: 'ServerError',
    description: "The service's own failure; quote the request id to support.",
    code: 'internal_error',
    message: 'Something went wrong on our side. Please quote the request id to support.',
  },
}

const statusOf: Record<Refusal, number> = {
  unauthorized: 401,
  forbidden: 403,
  'not found': 404,
  conflict: 409,
  'too many': 429,
  'not ready': 503,
  gone: 410,
  'other version': 412,
  mismatch: 422,
  'too large': 413,
}

/** The refusals of an endpoint: those that follow from its access, its input and `uses`, and those that it declares. */
export function refusalsOf(endpoint: Endpoint, schemas: Schemas): Record<string, unknown> {
  const { access, uses, freesSpace, query, body, refuses = [] } = endpoint
  const params = endpoint.params && z.object(endpoint.params)
  const statuses = new Set(refuses.map((refusal) => statusOf[refusal]))
  const inputs = [params, query].flatMap((schema) => (schema ? [schemas.of(schema, 'parameters')] : []))
  if (endpoint.askForLess || endpoint.conditional || body || inputs.some(isConstrained)) statuses.add(400)
  if (body) statuses.add(413)
  if (access === 'share link') for (const status of [403, 404]) statuses.add(status)
  else if (access !== 'anyone') statuses.add(401)
  if (access === 'user or application' || access === 'password reset application') statuses.add(403)
  if (params && isConstrained(schemas.of(params, 'parameters'))) statuses.add(404)
  if (uses.table?.startsWith('write') && access !== 'anyone') statuses.add(409)
  if (endpoint.conditional) statuses.add(412)
  if (endpoint.idempotent) for (const status of [400, 409, 422]) statuses.add(status)
  if (uses.openId) for (const status of [403, 502, 504]) statuses.add(status)
  if (uses.stock || (uses.table?.startsWith('write') && !freesSpace)) statuses.add(503)
  const all = [...[...statuses].sort((a, b) => a - b).map(String), '5XX']
  return Object.fromEntries(all.map((status) => [status, { $ref: `#/components/responses/${refusals[status]!.name}` }]))
}

/** Whether a schema of parameters, which are all text, refuses any value. */
function isConstrained({ properties = {} }: JsonSchema): boolean {
  const fields = Object.values(properties as Record<string, JsonSchema>)
  const free = new Set(['type', 'description', 'examples', 'minLength'])
  return fields.some((field) => Object.keys(field).some((keyword) => !free.has(keyword)) || field.type !== 'string')
}
