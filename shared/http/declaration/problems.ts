import type { z } from 'zod'
import { MAX_PROBLEMS, type Problem } from '../../library/errors.ts'
import { MAX_ID } from '../../vocabulary/ids.ts'

/** The id schema's message for a whole number outside the range of ids. In a path it names an unknown resource, which is a 404 and not a 400. */
export const OUT_OF_RANGE = `must be an id from 1 to ${MAX_ID}`

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/**
 * Checks a value.
 * @param whole name of the value in messages about all of it: `The body`
 * @param name of the parameter, where the value is one parameter
 * @returns the schema's output, or the first 100 problems in the words of this service
 */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  whole: string,
  name?: string,
): { data: z.output<S> } | { problems: Problem[] } {
  const result = schema.safeParse(value, { error: inPlainWords })
  if (result.success) return { data: result.data }
  const problems: Problem[] = []
  for (const issue of result.error.issues) {
    if (problems.length >= MAX_PROBLEMS) break
    problems.push(...problemsOf(issue, value, whole, name).slice(0, MAX_PROBLEMS - problems.length))
  }
  return { problems }
}

function problemsOf(issue: Issue, value: unknown, whole: string, name: string | undefined): Problem[] {
  const path = name === undefined ? issue.path : [name, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => ({ path: pathText([...path, key]), message: 'is not known' }))
  }
  const message = isMissing(value, issue.path) ? 'is missing' : issue.message
  return path.length === 0 ? [{ path: '', message: `${whole} ${message}.` }] : [{ path: pathText(path), message }]
}

/** `fields[2].name`; `""` for a field with an empty name, because an empty path stands for the whole value. */
function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.join('').replace(/^\./, '') || '""'
}

/** Whether the input has nothing at a path. A path into a value that a schema made of a text isn't one of the input: nothing is missing there. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let held: unknown = value
  for (const part of path) {
    if (typeof held !== 'object' || held === null) return false
    held = Object.hasOwn(held, part) ? (held as Record<PropertyKey, unknown>)[part] : undefined
  }
  return held === undefined
}

/** A message for an issue of the validation library: `must be a string`. A schema's own message takes precedence. */
function inPlainWords(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${issue.values.join(', ')}`
    case 'too_big':
      // Beyond the exact whole numbers: the library's limit, not one of ours.
      return issue.maximum === Number.MAX_SAFE_INTEGER ? 'must be smaller' : limit(issue.origin, `at most ${issue.maximum}`)
    case 'too_small':
      if (issue.minimum === Number.MIN_SAFE_INTEGER) return 'must be larger'
      return issue.minimum === 1 && SIZED.has(issue.origin) ? 'must not be empty' : limit(issue.origin, `at least ${issue.minimum}`)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap((branch) => branch.map(({ message }) => message)))].join(' or ') || NOT_UNDERSTOOD
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? NOT_UNDERSTOOD
    default:
      return NOT_UNDERSTOOD
  }
}

const NOT_UNDERSTOOD = 'is not understood'

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** Types with a length. */
const SIZED = new Set(['string', 'array'])

function limit(origin: string, amount: string): string {
  if (origin === 'string') return `must be ${amount} characters`
  return origin === 'array' ? `must hold ${amount} values` : `must be ${amount}`
}
