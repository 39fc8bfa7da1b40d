import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../../shared/http/openapi/document.ts'

interface Answer {
  content?: Record<string, { schema?: object }>
}
interface Operation {
  responses: Record<string, Answer | { $ref: string }>
}

/** Compares answers (JSON, or the bytes of a file) with the API document. @returns a function that throws where they differ */
export function conformity(document: OpenApiDocument): (route: string, status: number, body: unknown) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(closed({ $id: 'api', components: document.components }))
  const validators = new Map<string, ValidateFunction | 'file' | null>()
  return (route, status, body) => {
    const known = validators.get(`${route} ${status}`)
    const validate = known === undefined ? compile(ajv, document, route, status) : known
    validators.set(`${route} ${status}`, validate)
    if (validate === 'file') assert.ok(body instanceof Uint8Array, `${route} ${status} is a file`)
    else if (!validate) assert.equal(body, null, `${route} ${status} has no body`)
    else assert.ok(validate(body), `${route} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
  }
}

/** The answer that the document names for a status of an operation. */
export function answerOf(document: OpenApiDocument, route: string, status: number): Answer | undefined {
  const [method, path] = route.split(' ') as [string, string]
  const operation = document.paths[path]?.[method.toLowerCase()] as Operation | undefined
  assert.ok(operation, `${route} is in the document`)
  const answer = operation.responses[status] ?? (status >= 500 ? operation.responses['5XX'] : undefined)
  if (!answer || !('$ref' in answer)) return answer
  const { responses } = document.components as { responses: Record<string, Answer> }
  return responses[answer.$ref.split('/').at(-1)!]
}

function compile(ajv: Ajv2020, document: OpenApiDocument, route: string, status: number): ValidateFunction | 'file' | null {
  const answer = answerOf(document, route, status)
  assert.ok(answer, `${route} may answer ${status}`)
  if (answer.content && !answer.content['application/json']) return 'file'
  const schema = answer.content?.['application/json']?.schema
  return schema ? ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components/', '"api#/components/'))) : null
}

/** The document allows unknown fields in answers, because later versions may add some. Here every field must be declared. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([keyword, part]) => [keyword, closed(part)]))
  const isOpen = parts.type === 'object' && parts.properties !== undefined && parts.additionalProperties === undefined
  return (isOpen ? { ...parts, additionalProperties: false } : parts) as T
}
