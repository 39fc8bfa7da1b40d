import type { JsonSchema } from '../shown-as.ts'
import type { Schemas } from './schemas.ts'

/**
 * An example of a schema, composed of `examples`, `const`, `default` and `enum` of its parts.
 * @returns undefined where a part has none of these
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const of = (part: unknown) => exampleOf(part as JsonSchema, schemas)
  const { examples, const: constant, default: fallback, enum: values, anyOf, type, properties, items } = schemas.resolve(schema)
  if (Array.isArray(examples)) return examples[0]
  if (constant !== undefined) return constant
  if (fallback !== undefined && fallback !== null) return fallback
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return of(anyOf[0])
  if (type === 'boolean') return false
  if (type === 'array') return [of(items)].filter((each) => each !== undefined)
  if (type !== 'object') return undefined
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, part]) => [name, of(part)] as const)
  return Object.fromEntries(fields.filter(([, example]) => example !== undefined))
}
