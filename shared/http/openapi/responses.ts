import type * as z from 'zod'
import type { Endpoint } from '../declaration/endpoint.ts'
import { isRevalidated } from '../declaration/endpoint.ts'
import { Empty } from '../declaration/fields.ts'
import type { JsonSchema } from '../declaration/json-schema.ts'
import { isFileOutput, isPageOutput, type Output } from '../declaration/results.ts'
import { requestIdHeader } from '../kernel/headers.ts'
import { refusals, refusalsOf } from './refusals.ts'
import type { Schemas } from './schemas.ts'
import { exampleOf } from './schemas.ts'

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** Headers that answers carry. */
export const headers = {
  RequestId: { description: 'Id of the request, to be quoted to support.', required: true, schema: { type: 'string' } },
  AllowOrigin: { description: 'The `Origin` of the request, where it had one: any site may read the answer.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds until the same request may succeed.', required: true, schema: { type: 'integer', minimum: 1 } },
  WWWAuthenticate: { description: 'The schemes that the operation takes.', schema: { type: 'string' } },
  Location: { description: 'Where to go.', required: true, schema: { type: 'string', format: 'uri' } },
  ETag: {
    description: 'Version of the answer; send it as `If-None-Match` to hear whether there is a newer one.',
    required: true,
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: '`true` where the answer is that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  Version: {
    description: 'Version of the file, in quotes: send it as `If-Match` with a change. Items of the stock library have none.',
    schema: { type: 'string', examples: ['"3"'] },
  },
}

/** The answers of operations. */
export class Responses {
  readonly #schemas: Schemas
  readonly #common: Record<string, unknown>

  constructor(schemas: Schemas, brand: string) {
    this.#schemas = schemas
    this.#common = { [requestIdHeader(brand)]: headerRef('RequestId'), 'Access-Control-Allow-Origin': headerRef('AllowOrigin') }
  }

  /** Every answer that an endpoint gives, by its status. */
  of(endpoint: Endpoint): Record<string, unknown> {
    return { ...this.#successes(endpoint), ...refusalsOf(endpoint, this.#schemas) }
  }

  /** The refusals that operations share, by name. */
  shared(): Record<string, unknown> {
    const error = { $ref: '#/components/schemas/Error' }
    return Object.fromEntries(
      Object.values(refusals).map(({ name, description, code, message, headers: labels = {}, own }) => [
        name,
        this.#answer(
          description,
          { 'application/json': { schema: error, example: { message, code, request_id: '0b6c1b7e-52f3-4c08-9a3e-6d2f1c0a7e55', ...own } } },
          labels,
        ),
      ]),
    )
  }

  #successes(endpoint: Endpoint): Record<string, unknown> {
    const { returns, accepted, also = [] } = endpoint
    const labels = {
      ...(endpoint.versioned && { ETag: headerRef('Version') }),
      ...(endpoint.idempotent && { 'Idempotency-Replayed': headerRef('IdempotencyReplayed') }),
    }
    if (returns && accepted) return this.#okOrAccepted(returns as z.ZodType, accepted, labels)
    return {
      ...(returns && this.#ok(endpoint, returns, labels)),
      ...(also.includes('created') && {
        201: this.#answer('Created.', this.#json(Empty), labels),
      }),
      ...(also.includes('no content') && { 204: this.#answer('Done.', undefined, labels) }),
      ...(also.includes('unavailable') && { 503: this.#answer('The service cannot do its work.', this.#json(returns as z.ZodType)) }),
      ...(also.includes('redirect') && { 302: this.#answer('Go on to `Location`.', undefined, { Location: headerRef('Location') }) }),
    }
  }

  /** Both statuses have both schemas: generators of clients take one type for all successes. `status` tells which it is. */
  #okOrAccepted(returns: z.ZodType, accepted: z.ZodType, labels: Record<string, unknown>): Record<string, unknown> {
    const shapes = [returns, accepted].map((schema) => this.#schemas.of(schema, 'answer') as { $ref: string })
    const mapping = shapes.flatMap(({ $ref }) => {
      const { status } = this.#schemas.resolve({ $ref }).properties as Record<string, { enum: string[] }>
      return status!.enum.map((value) => [value, $ref])
    })
    const name = shapes.map(({ $ref }) => $ref.split('/').at(-1)).join('Or')
    this.#schemas.add(name, { oneOf: shapes, discriminator: { propertyName: 'status', mapping: Object.fromEntries(mapping) } })
    const schema = { $ref: `#/components/schemas/${name}` }
    const content = (shape: JsonSchema) => ({ 'application/json': { schema, example: exampleOf(shape, this.#schemas) } })
    return { 200: this.#answer('Success.', content(shapes[0]!), labels), 202: this.#answer('Not finished yet.', content(shapes[1]!)) }
  }

  #ok(endpoint: Endpoint, returns: Output, labels: Record<string, unknown>): Record<string, unknown> {
    if (isPageOutput(returns)) return { 200: this.#answer('An HTML page.', { 'text/html': { schema: { type: 'string' } } }) }
    if (isFileOutput(returns)) return this.#tagged('The file.', { [returns.mediaType]: bytesOf(returns.mediaType) })
    if (!isRevalidated(endpoint)) return { 200: this.#answer('Success.', this.#json(returns), labels) }
    return this.#tagged('Success.', this.#json(returns), endpoint.noStore && { ...headers.ETag, required: false })
  }

  /** A success whose version clients may keep. */
  #tagged(description: string, content: Record<string, unknown>, tag: unknown = headerRef('ETag')): Record<string, unknown> {
    const etag = { ETag: headerRef('ETag') }
    return {
      200: this.#answer(description, content, { ETag: tag }),
      304: this.#answer('Not changed since the version that `If-None-Match` names.', undefined, etag),
    }
  }

  #json(schema: Parameters<Schemas['of']>[0]) {
    return { 'application/json': withExample(this.#schemas.of(schema, 'answer'), this.#schemas) }
  }

  #answer(description: string, content?: Record<string, unknown>, own: Record<string, unknown> = {}) {
    return { description, headers: { ...this.#common, ...own }, ...(content && { content }) }
  }
}

/** A media type object of what is no JSON. Generators of clients need a schema, and know bytes by `format: binary`. */
export function bytesOf(mediaType: string) {
  return { schema: { type: 'string', ...(!mediaType.startsWith('text/') && { format: 'binary' }) } }
}

/** A media type object. */
export function withExample(schema: JsonSchema, schemas: Schemas) {
  return { schema, example: exampleOf(schema, schemas) }
}
