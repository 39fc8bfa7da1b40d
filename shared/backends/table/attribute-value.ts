import type { Item, Value } from './port.ts'

/** DynamoDB's notation of a value: what the SDK and stream records of Lambda have in common. */
export type AttributeValue =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: AttributeValue[] }
  | { M: Record<string, AttributeValue> }

/** The same in answers, where any kind may be present. */
export interface ReceivedValue {
  S?: string | undefined
  N?: string | undefined
  BOOL?: boolean | undefined
  L?: ReceivedValue[] | undefined
  M?: Record<string, ReceivedValue> | undefined
}

/** Writes a valid value (rules.ts) in DynamoDB's notation. */
export function toAttributeValue(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value === null) return { NULL: true }
  if (Array.isArray(value)) return { L: value.map(toAttributeValue) }
  return { M: toAttributes(value) }
}

/** Writes the attributes of an item, or of a map in it; those that are undefined are left out. */
export function toAttributes(map: { readonly [name: string]: Value | undefined }): Record<string, AttributeValue> {
  const entries: [string, AttributeValue][] = []
  for (const [name, value] of Object.entries(map)) if (value !== undefined) entries.push([name, toAttributeValue(value)])
  return Object.fromEntries(entries)
}

/** Reads an item. */
export function toItem(attributes: Record<string, ReceivedValue>): Item {
  return fromAttributes(attributes) as Item
}

function fromAttributes(attributes: Record<string, ReceivedValue>): Record<string, Value> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, fromAttributeValue(value)]))
}

function fromAttributeValue({ S, N, BOOL, L, M }: ReceivedValue): Value {
  if (S !== undefined) return S
  if (N !== undefined) return Number(N)
  if (BOOL !== undefined) return BOOL
  if (L) return L.map(fromAttributeValue)
  return M ? fromAttributes(M) : null
}
