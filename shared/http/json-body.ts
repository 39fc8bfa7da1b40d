import { Invalid } from '../library/errors.ts'

/** Deepest nesting of objects and arrays in a body. */
const MAX_DEPTH = 100
/** Most fields of one object: each that a schema refuses costs ten times what it takes to parse. */
const MAX_FIELDS = 1_000

/**
 * Parses a JSON body. Time grows with its bytes alone: `JSON.parse` takes a reviver twenty times longer, which keeps everybody
 * else waiting.
 * @returns undefined for an empty body: the schema decides whether that is fine
 * @throws Invalid when it isn't JSON in UTF-8, is nested too deep, has too many fields, or one that would vanish on its way
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const value = parse(bytes)
  refuseHostile(value)
  return value
}

function parse(bytes: Uint8Array): unknown {
  try {
    // Takes a byte order mark off, and refuses what is no UTF-8 rather than store something else.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    throw new Invalid({ path: '', message: 'The body is not valid JSON in UTF-8.' }, 'malformed_json')
  }
}

/** Walks level by level, not by recursion, so that no nesting exhausts the stack. */
function refuseHostile(value: unknown): void {
  let level = isNested(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new Invalid({ path: '', message: `The body is nested deeper than ${MAX_DEPTH} levels.` }, 'malformed_json')
    const below: object[] = []
    for (const held of level) {
      // JSON.parse makes it an ordinary field; assignments further on would not.
      if (Object.hasOwn(held, '__proto__')) {
        throw new Invalid({ path: '', message: 'The body has a field named __proto__.' }, 'malformed_json')
      }
      const values = Array.isArray(held) ? held : fieldsOf(held)
      for (const each of values) if (isNested(each)) below.push(each)
    }
    level = below
  }
}

function fieldsOf(held: object): unknown[] {
  const values = Object.values(held)
  if (values.length > MAX_FIELDS) {
    throw new Invalid({ path: '', message: `The body has an object of more than ${MAX_FIELDS} fields.` }, 'malformed_json')
  }
  return values
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
