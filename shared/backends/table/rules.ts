import { indexes } from './indexes.ts'
import {
  type Changes,
  type Item,
  ItemTooLarge,
  type Key,
  MAX_ITEM_BYTES,
  type Operation,
  type Operations,
  type Query,
  type Value,
} from './port.ts'

/**
 * DynamoDB's rules for its input. Both adapters check them, so that the embedded table refuses what DynamoDB would refuse. A broken rule is a
 * bug of the caller: TypeError.
 */

const MAX_KEY_BYTES = 1024
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
const MAX_TRANSACTION_OPERATIONS = 100
const MAX_DEPTH = 32
/** Range of DynamoDB's numbers, which is smaller than that of doubles. */
const MAX_NUMBER = 9.99e125
const MIN_NUMBER = 1e-130

/** Attributes that are a key of an index. */
export const indexAttributes: readonly string[] = [...new Set(Object.values(indexes).flatMap((index) => [index.pk, index.sk]))]

/** @returns the key with well-formed parts. @throws TypeError when a part is empty or too long */
export function validKey(key: Key): Key {
  return { pk: validKeyPart('pk', key.pk), sk: validKeyPart('sk', key.sk) }
}

function validKeyPart(name: string, part: Value | undefined): string {
  if (typeof part !== 'string' || part === '') throw new TypeError(`key attribute ${name} must be a non-empty string`)
  if (part.length > MAX_KEY_BYTES / 3 && Buffer.byteLength(part) > MAX_KEY_BYTES)
    throw new TypeError(`key attribute ${name} is longer than ${MAX_KEY_BYTES} bytes`)
  return part.toWellFormed()
}

/** @returns a copy of the item as it is stored: without `undefined`, strings well-formed. @throws TypeError */
export function validItem(item: Item): Item {
  const stored = validAttributes(item)
  return Object.assign(stored, validKey(item))
}

/** The same for some attributes of an item. @throws TypeError */
function validAttributes(attributes: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  const stored = validMap(attributes, 1)
  if (Object.hasOwn(stored, '')) throw new TypeError('an attribute must have a name')
  for (const name of indexAttributes) if (Object.hasOwn(stored, name)) validKeyPart(name, stored[name])
  return stored
}

function validMap(map: Readonly<Record<string, Value | undefined>>, depth: number): Record<string, Value> {
  const valid: Record<string, Value> = {}
  for (const [name, value] of Object.entries(map)) {
    // DynamoDB's SDK (3.1162) would set the prototype.
    if (name === '__proto__') throw new TypeError('an attribute can not have that name')
    if (value !== undefined) valid[name.toWellFormed()] = validValue(value, depth)
  }
  return valid
}

function validValue(value: Value, depth: number): Value {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return validNumber(value)
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} can't be stored`)
  if (depth >= MAX_DEPTH) throw new TypeError(`values nest deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(value)) return value.map((element) => validValue(element, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('only plain objects can be stored')
  return validMap(value, depth + 1)
}

function validNumber(value: number): number {
  const magnitude = Math.abs(value)
  if (magnitude <= MAX_NUMBER && (magnitude >= MIN_NUMBER || magnitude === 0)) return value
  throw new TypeError(`the number ${value} can't be stored`)
}

/** @returns the changes as they are applied. @throws TypeError for no change at all, a change of a key, or two changes of one attribute */
export function validChanges(changes: Changes): { set: Record<string, Value>; remove: readonly string[]; add: Record<string, number> } {
  const set = validAttributes(changes.set ?? {})
  const { remove = [], add = {} } = changes
  for (const amount of Object.values(add)) if (!Number.isSafeInteger(amount)) throw new TypeError('only whole numbers can be added')
  const names = [...Object.keys(set), ...remove, ...Object.keys(add)]
  if (names.length === 0) throw new TypeError('an update must change something')
  if (new Set(names).size < names.length) throw new TypeError('an update may name an attribute only once')
  if (names.includes('pk') || names.includes('sk')) throw new TypeError('an update can not change the key')
  return { set, remove, add }
}

/** Key of the item that an operation is about. */
export function keyOf(operation: Operation): Key {
  if ('put' in operation) return operation.put
  if ('update' in operation) return operation.update
  return 'delete' in operation ? operation.delete : operation.check
}

/** @throws TypeError when DynamoDB would refuse them as one transaction */
export function checkTransaction(named: Operations): void {
  const operations = Object.values(named)
  if (operations.length < 1 || operations.length > MAX_TRANSACTION_OPERATIONS)
    throw new TypeError(`a transaction has 1 to ${MAX_TRANSACTION_OPERATIONS} operations, not ${operations.length}`)
  const addresses = new Set(operations.map((operation) => addressOf(validKey(keyOf(operation)))))
  if (addresses.size < operations.length) throw new TypeError('operations of a transaction must be on distinct items')
  if (operations.some((operation) => 'check' in operation && Object.keys(operation.if).length === 0))
    throw new TypeError('a check needs a condition')
  let bytes = 0
  for (const operation of operations) {
    if ('put' in operation) bytes += bytesOf(operation.put)
    if ('update' in operation) bytes += bytesOf(operation.changes.set ?? {})
  }
  if (bytes > MAX_TRANSACTION_BYTES) throw new TypeError(`a transaction holds at most ${MAX_TRANSACTION_BYTES} bytes`)
}

/** Valid keys, each once, in the order of their first occurrence. @throws TypeError */
export function uniqueKeys(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => validKey(key)).map((key) => [addressOf(key), key])).values()]
}

/** One string per key, different for different keys. */
export function addressOf(key: Key): string {
  return `${key.pk.length}:${key.pk}${key.sk}`
}

/** @throws TypeError when the query asks for something impossible */
export function checkQuery(query: Query): void {
  validKeyPart('pk', query.pk)
  checkLimit(query.limit)
  if (query.index && query.consistent) throw new TypeError('an index can not be read consistently')
}

/** @throws TypeError unless a page may have that many items */
export function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) throw new TypeError('the limit must be a positive whole number')
}

/** @throws ItemTooLarge */
export function checkItemSize(item: Item): void {
  const bytes = bytesOf(item)
  if (bytes > MAX_ITEM_BYTES) throw new ItemTooLarge(`an item of ${bytes} bytes exceeds ${MAX_ITEM_BYTES}`)
}

/**
 * Size of attributes as DynamoDB counts it, in bytes; numbers by its approximate rule.
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB item sizes and formats".
 */
export function bytesOf(attributes: Readonly<Record<string, Value | undefined>>): number {
  let bytes = 0
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) bytes += Buffer.byteLength(name) + valueBytes(value)
  return bytes
}

function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return numberBytes(value)
  if (typeof value === 'boolean' || value === null) return 1
  if (Array.isArray(value)) return value.reduce<number>((bytes, element) => bytes + 1 + valueBytes(element), 3)
  return 3 + Object.keys(value).length + bytesOf(value)
}

function numberBytes(value: number): number {
  const digits = String(Math.abs(value))
    .replace(/e.*|\./g, '')
    .replace(/^0+|0+$/g, '').length
  return Math.ceil(digits / 2) + (value < 0 ? 2 : 1)
}
