import * as z from 'zod'

/** Keywords of JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>

/** The schema that the API document shows of an input. Clones of a schema (`.optional()`, `.describe()`) inherit it. */
export const documented = z.registry<{ as: object }>()

/**
 * Sets what the API document shows of an input that the service parses from text: the parser gets an id in a path as digits, the document
 * shows an integer. The document may show less than the service accepts, never more.
 */
export function documentedAs<S extends z.ZodType>(schema: S, as: JsonSchema | z.ZodType): S {
  documented.add(schema, { as })
  return schema
}
