import type { JsonSchema } from '../../../../shared/http/declaration/json-schema.ts'

export const json = (schema: object) => ({ 'application/json': { schema } })

/** The answers of an operation. @param missing what a 404 says */
export function answers(description: string, schema: JsonSchema, missing?: string) {
  const problem = (text: string) => ({ description: text, content: json({ type: 'object', description: 'Nobody reads it.' }) })
  return {
    200: { description, content: json(schema) },
    ...(missing !== undefined && { 404: problem(missing) }),
    '4XX': problem('It does not take this request. 429: too many requests.'),
    '5XX': problem('It cannot answer now. It is asked again at most twice at once, and is left alone for ten seconds after five failures.'),
  }
}
