import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { documented, type JsonSchema } from '../declaration/json-schema.ts'
import { brandedField } from '../protocol/brand-field.ts'

/** The part of an operation that a schema describes. */
export type Place = 'parameters' | 'body' | 'answer'

/** The schemas of a document: turns zod schemas into JSON Schema 2020-12, and collects those that have a name (`meta({ id })`). */
export class Schemas {
  /** By name. */
  readonly named: Record<string, JsonSchema> = {}
  readonly #brand: string

  /** @param brand names the field `svc_id` */
  constructor(brand: string) {
    this.#brand = brand
  }

  /** @returns a schema, or a reference to a named one @throws Error when two schemas share a name */
  of(schema: z.ZodType, place: Place): JsonSchema {
    const { $schema: _, $defs = {}, ...own } = toJsonSchema(schema, place)
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) this.add(name, definition)
    return this.#finished(own)
  }

  add(name: string, definition: JsonSchema): void {
    const finished = this.#finished(definition)
    const known = this.named[name]
    if (known && !isDeepStrictEqual(known, finished)) throw new Error(`two schemas are called ${name}`)
    this.named[name] = finished
  }

  /** The schema behind references. */
  resolve(schema: JsonSchema): JsonSchema {
    return typeof schema.$ref === 'string' ? this.resolve(this.named[schema.$ref.split('/').at(-1)!] ?? {}) : schema
  }

  #finished(schema: JsonSchema): JsonSchema {
    const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
    return brandedField(JSON.parse(text, generated), this.#brand) as JsonSchema
  }
}

/**
 * Writes a part of a schema so that generators of clients read it: few know `const`, and most take a union with null for one of two types.
 * It is the reviver of `JSON.parse`, so it sees inner parts first.
 */
function generated(_: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  const { const: constant, anyOf, ...rest } = part as JsonSchema & { anyOf?: JsonSchema[] }
  if (typeof constant === 'boolean') return rest
  if (constant !== undefined) return { ...rest, ...(Number.isInteger(constant) && { type: 'integer' }), enum: [constant] }
  // Named shapes of a union have fields of their own, by which clients tell them apart.
  if (anyOf?.every(({ $ref }) => $ref !== undefined)) return { ...rest, oneOf: anyOf }
  const [shape, none] = anyOf ?? []
  if (anyOf?.length !== 2 || none?.type !== 'null' || typeof shape?.type !== 'string') return part
  return { ...shape, ...rest, type: [shape.type, 'null'], ...(Array.isArray(shape.enum) && { enum: [...shape.enum, null] }) }
}

function toJsonSchema(schema: z.ZodType, place: Place): JsonSchema {
  const io = place === 'answer' ? 'output' : 'input'
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => finish(zodSchema, jsonSchema, place),
  })
}

/** Changes zod's JSON schema for the document: it drops zod's own bounds of integers, and leaves answers open to new fields. */
function finish(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema, place: Place): void {
  const as = documented.get(zodSchema)?.as as JsonSchema | z.ZodType | undefined
  if (as) replace(jsonSchema, isZod(as) ? withoutDialect(toJsonSchema(as, place)) : as)
  // zod leaves `examples` and `default` out of schemas that transform. Here they are always those of the input.
  const { examples, example } = z.globalRegistry.get(zodSchema) ?? {}
  if (examples !== undefined) jsonSchema.examples = examples
  if (example !== undefined) jsonSchema.example = example
  const { def } = (zodSchema as z.ZodType)._zod as { def: { type: string; defaultValue?: unknown } }
  if (def.type === 'default') jsonSchema.default = def.defaultValue
  // Client generators treat a body's field with a default as required.
  if (place === 'body') delete jsonSchema.default
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (place === 'answer' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function replace(jsonSchema: JsonSchema, by: JsonSchema): void {
  const { description } = jsonSchema
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
  Object.assign(jsonSchema, by, description === undefined ? {} : { description })
}

function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function isZod(value: JsonSchema | z.ZodType): value is z.ZodType {
  return '_zod' in value
}

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
