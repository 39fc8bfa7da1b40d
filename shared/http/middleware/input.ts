import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { z } from 'zod'
import { Invalid, NotFound, type Problem, TooLarge } from '../../library/errors.ts'
import { renameKey } from '../brand.ts'
import type { Endpoint } from '../endpoint.ts'
import { header, type Kernel, type Middleware } from '../exchange.ts'
import { queryOf } from '../query.ts'

/** Largest JSON body, in bytes (decision 2). */
export const MAX_BODY_BYTES = 1024 * 1024

/** Parses and validates parameters, query and body (all problems are reported at once), then takes a file out of a form. */
export function input(endpoint: Pick<Endpoint, 'params' | 'query' | 'body' | 'file'>, { settings }: Kernel): Middleware {
  return {
    before: async (request) => {
      const problems: Problem[] = []
      const parse = (schema: z.ZodType | undefined, value: unknown) => {
        const result = schema?.safeParse(value)
        if (result?.error) problems.push(...result.error.issues.map(toProblem))
        return result?.data
      }
      const { event } = request
      const params = parse(endpoint.params, event.pathParameters ?? {})
      if (problems.length > 0 && problems.every(({ message }) => message === OUT_OF_RANGE)) throw new NotFound('resource')
      const query = parse(endpoint.query, queryOf(event))
      const body = endpoint.body && parse(endpoint.body, renameKey(jsonOf(bodyOf(event)), settings.brand, 'in'))
      if (problems.length > 0) throw new Invalid(problems)
      const file = await endpoint.file?.read(header(event, 'content-type'), bodyOf(event))
      request.context.exchange.input = { params, query, body, file }
    },
  }
}

/** What the id schema says of a whole number that no id can be: in a path that is an unknown resource, not a malformed one. */
export const OUT_OF_RANGE = 'no id is that number'

function toProblem(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return { path: path.replace(/^\./, ''), message: issue.message }
}

/** A field of this name would vanish on its way. */
function refuseProto(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('__proto__')
  return value
}

function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
}

/** @returns undefined for an empty body: the schema decides whether that is fine */
function jsonOf(bytes: Buffer): unknown {
  if (bytes.length > MAX_BODY_BYTES) throw new TooLarge(`The body is larger than ${MAX_BODY_BYTES} bytes.`)
  try {
    // Takes a byte order mark off, and refuses what is no UTF-8 rather than store something else.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? undefined : JSON.parse(text, refuseProto)
  } catch {
    throw new Invalid({ path: '', message: 'The body is not valid JSON in UTF-8.' }, 'malformed_json')
  }
}
