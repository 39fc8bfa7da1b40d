import * as z from 'zod'

/** Keywords of JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>

/** What the API document shows of an input. Clones of a schema (`.optional()`, `.describe()`) inherit it. */
export const shown = z.registry<{ as: object }>()

/**
 * Says what the API document shows of an input that the service parses from text: an id in a path is digits to the parser and an integer to
 * whoever reads the document. What is shown may be narrower than what is accepted, never wider.
 */
export function shownAs<S extends z.ZodType>(schema: S, as: JsonSchema | z.ZodType): S {
  shown.add(schema, { as })
  return schema
}
