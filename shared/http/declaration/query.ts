import * as z from 'zod'
import type { ApiEvent } from '../protocol/exchange.ts'
import { documentedAs } from './json-schema.ts'

/**
 * Query parameters for schemas: `name[]=` counts as `name=`, repeated ones are joined by `+`, empty ones are left out.
 */
export function queryOf(event: Pick<ApiEvent, 'multiValueQueryStringParameters'>): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  const given = event.multiValueQueryStringParameters ?? {}
  for (const [rawName, values] of Object.entries(given)) {
    const name = rawName.replace(/\[\d*\]$/, '')
    const value = (values ?? []).filter((each) => each !== '').join('+')
    if (name && value) query[name] = query[name] === undefined ? value : `${query[name]}+${value}`
  }
  return query
}

/** Most values in one multi-value parameter. */
const MAX_VALUES = 10_000

/** Splits a multi-value on `+`, spaces and commas. */
export function splitValues(text: string): string[] {
  return text.split(/[+,\s]+/).filter((value) => value !== '')
}

/** Several values in one parameter, joined by `+`, space or comma. A parameter of separators alone counts as not given. */
export function many<S extends z.ZodType<unknown, string>>(value: S) {
  const values = z.array(value).max(MAX_VALUES)
  return documentedAs(
    z
      .string()
      .transform(splitValues)
      .pipe(values)
      .transform((parsed) => (parsed.length > 0 ? parsed : undefined)),
    values.min(1),
  )
}

const MAX_INT32 = 2 ** 31 - 1

/** A whole number in decimal notation. */
export function wholeNumber(min: number, max: number) {
  return documentedAs(
    z
      .string()
      .trim()
      .regex(/^-?\d+$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
    // Clients read numbers as Int32. The service accepts more.
    { type: 'integer', minimum: min, maximum: Math.min(max, MAX_INT32) },
  )
}

/** `true` or `false`, also `1` and `0`, in any case. */
export function flag() {
  return documentedAs(
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(['true', 'false', '1', '0']))
      .transform((text) => text === 'true' || text === '1'),
    { type: 'boolean' },
  )
}
