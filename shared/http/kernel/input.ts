import type { z } from 'zod'
import { Invalid, NotFound, type Problem } from '../../library/errors.ts'
import { type Endpoint, isBytesBody } from '../declaration/endpoint.ts'
import { check, OUT_OF_RANGE } from '../declaration/problems.ts'
import { queryOf } from '../declaration/query.ts'
import { renameKey } from '../protocol/brand-field.ts'
import { expectedVersions } from '../protocol/conditional-requests.ts'
import { bodyOf, header, type Kernel, type Middleware } from '../protocol/exchange.ts'
import { parseJsonBody } from '../protocol/json-body.ts'

/** Parses and validates parameters, query and JSON, and reports all problems at once. Then it reads a body that is a file. */
export function input(endpoint: Pick<Endpoint, 'params' | 'query' | 'body' | 'conditional'>, { settings }: Kernel): Middleware {
  return {
    before: async (request) => {
      const problems: Problem[] = []
      const parse = (schema: z.ZodType | undefined, value: unknown, whole: string, path?: string) => {
        const result = schema && check(schema, value, whole, path)
        if (result && 'problems' in result) problems.push(...result.problems)
        else return result?.data
      }
      const { event } = request
      const params: Record<string, unknown> = {}
      for (const [name, schema] of Object.entries(endpoint.params ?? {}))
        params[name] = parse(schema, event.pathParameters?.[name], 'The path', name)
      if (problems.length > 0 && problems.every(({ message }) => message === OUT_OF_RANGE)) throw new NotFound('resource')
      const query = endpoint.query && parse(endpoint.query, queryOf(event), 'The query')
      const { body: declared } = endpoint
      const inJson = isBytesBody(declared) ? undefined : declared
      const sent = inJson && renameKey(parseJsonBody(bodyOf(event)), settings.brand, 'in')
      const json = parse(inJson, sent, 'The body')
      if (problems.length > 0) throw new Invalid(problems)
      const body = isBytesBody(declared) ? await declared.read(header(event, 'content-type'), bodyOf(event)) : json
      request.context.exchange.input = { params, query, body, ...(endpoint.conditional && { expectedVersions: expectedVersions(event) }) }
    },
  }
}
