import type { JsonSchema } from '../declaration/json-schema.ts'
import type { Schemas } from './schemas.ts'

/**
 * An example of a schema, composed of `examples`, `default` and `enum` of its parts.
 * @returns undefined where a part has none of these
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const of = (part: unknown) => exampleOf(part as JsonSchema, schemas)
  const { examples, default: fallback, enum: values, anyOf, oneOf = anyOf, type, properties, items } = schemas.resolve(schema)
  if (Array.isArray(examples)) return examples[0]
  if (fallback !== undefined && fallback !== null) return fallback
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(oneOf)) return of(oneOf[0])
  // A shape that may be null is shown as the shape.
  const [shape] = [type].flat()
  if (shape === 'boolean') return false
  if (shape === 'array') return [of(items)].filter((each) => each !== undefined)
  if (shape !== 'object') return undefined
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, part]) => [name, of(part)] as const)
  return Object.fromEntries(fields.filter(([, example]) => example !== undefined))
}
