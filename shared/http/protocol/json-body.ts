import { Invalid } from '../../library/errors.ts'

/** Deepest nesting of objects and arrays in a body. */
const MAX_DEPTH = 100
/** Most fields of one object. A field that the schema refuses costs ten times as much as parsing it. */
const MAX_FIELDS = 1_000

/**
 * Most objects and arrays in a body: twice as many as files that one call names. The 350,000 that fit into a megabyte would block all other requests
 * for half a second.
 */
const MAX_NESTED = 20_000

const [QUOTE, BACKSLASH, BRACKET, BRACE] = Buffer.from('"\\[{') as unknown as [number, number, number, number]

/**
 * Parses a JSON body, in time linear in its bytes. It uses no reviver: that is twenty times slower, and blocks all other requests.
 * @returns undefined for an empty body; the schema decides whether that is valid
 * @throws Invalid for a body that isn't JSON in UTF-8, has too many objects and arrays, is nested too deep, or has an object with too many fields or the field
 *   `__proto__`
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (nestedIn(bytes) > MAX_NESTED) {
    throw new Invalid({ path: '', message: `The body has more than ${MAX_NESTED} objects and arrays.` }, 'malformed_json')
  }
  const value = parse(bytes)
  refuseHostile(value)
  return value
}

/** Counts the objects and arrays of JSON, up to one too many. Brackets in texts are none. */
function nestedIn(bytes: Uint8Array): number {
  let count = 0
  let isText = false
  for (let at = 0; at < bytes.length && count <= MAX_NESTED; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === BRACKET || byte === BRACE) count++
  }
  return count
}

function parse(bytes: Uint8Array): unknown {
  try {
    // Removes a byte order mark. `fatal`: invalid UTF-8 is refused, not replaced.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    throw new Invalid({ path: '', message: 'The body is not valid JSON in UTF-8.' }, 'malformed_json')
  }
}

/** Goes level by level, not recursively: deep nesting can't exhaust the stack. */
function refuseHostile(value: unknown): void {
  let level = isNested(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new Invalid({ path: '', message: `The body is nested deeper than ${MAX_DEPTH} levels.` }, 'malformed_json')
    const below: object[] = []
    for (const held of level) {
      // JSON.parse makes it an ordinary field. A later assignment would set the prototype.
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
