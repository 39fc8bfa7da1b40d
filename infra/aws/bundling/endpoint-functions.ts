import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../../../shared/http/declaration/endpoint.ts'

/** A function of AWS with the endpoints that it answers: one, as a rule. */
export interface AnsweringFunction {
  /** The name of the function: the endpoint's own, or the one that its endpoints give. */
  name: string
  /** Its endpoints by their keys in the table. They use the same resources. */
  endpoints: Readonly<Record<string, Endpoint>>
}

/** The functions that answer these endpoints. @throws Error where those of one function don't use the same */
export function endpointFunctions(endpoints: Readonly<Record<string, Endpoint>>): AnsweringFunction[] {
  const named = Map.groupBy(Object.entries(endpoints), ([key, { answeredBy = key }]) => answeredBy)
  return [...named].map(([name, those]) => {
    const [[, first]] = those as [[string, Endpoint]]
    const other = those.find(([, { uses }]) => !isDeepStrictEqual(uses, first.uses))
    if (other) throw new Error(`${other[0]} is answered by ${name}, and uses something else than others there`)
    return { name, endpoints: Object.fromEntries(those) }
  })
}
