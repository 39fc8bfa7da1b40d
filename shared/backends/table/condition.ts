import type { Condition, Item, Test, Value } from './port.ts'

/** Whether an item, or the lack of one, meets a condition. The embedded table's counterpart of DynamoDB's condition expressions. */
export function holds(condition: Condition | undefined, item: Item | undefined): boolean {
  if (!condition) return true
  return Object.entries(condition).every(([name, test]) => passes(test, item && Object.hasOwn(item, name) ? item[name] : undefined))
}

function passes(test: Test, value: Value | undefined): boolean {
  if ('exists' in test) return test.exists === (value !== undefined)
  if ('equals' in test) return value === stored(test.equals)
  if ('not' in test) return value !== stored(test.not)
  const bound = 'atLeast' in test ? test.atLeast : test.below
  const order = compare(value, bound)
  return order !== undefined && ('atLeast' in test ? order >= 0 : order < 0)
}

/** A value in the form in which it is stored. */
function stored(value: string | number | boolean | null): string | number | boolean | null {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** @returns undefined when the two are not of one type that has an order */
function compare(a: Value | undefined, b: number | string): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b)
  return undefined
}

/** Compares two strings by their UTF-8 bytes. `<` compares UTF-16 units, which differs for characters past U+FFFF. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
