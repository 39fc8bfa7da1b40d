import { indexes } from './indexes.ts'
import type { Changes, Condition, Query, Test, Value } from './port.ts'
import { validChanges } from './rules.ts'

/** Placeholders of one request: expressions never contain names and values themselves. */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values: Record<string, Value> = {}
  #count = 0

  name(attribute: string): string {
    const placeholder = this.#names.get(attribute) ?? `#${this.#names.size}`
    this.#names.set(attribute, placeholder)
    return placeholder
  }

  value(value: Value): string {
    const placeholder = `:${this.#count++}`
    this.#values[placeholder] = typeof value === 'string' ? value.toWellFormed() : value
    return placeholder
  }

  /** The parts of a request that define the placeholders. DynamoDB refuses empty ones. */
  toRequest(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Record<string, Value> } {
    const names = Object.fromEntries([...this.#names].map(([attribute, placeholder]) => [placeholder, attribute]))
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#count > 0 && { ExpressionAttributeValues: this.#values }),
    }
  }
}

/** Reads only the key and these attributes of each item. */
export function projection(attributes: readonly string[]): {
  ProjectionExpression: string
  ExpressionAttributeNames?: Record<string, string>
} {
  const placeholders = new Placeholders()
  const names = new Set(['pk', 'sk', ...attributes].map((attribute) => placeholders.name(attribute)))
  return { ProjectionExpression: [...names].join(', '), ...placeholders.toRequest() }
}

/** @returns nothing for a condition that tests nothing */
export function conditionExpression(condition: Condition | undefined, placeholders: Placeholders): { ConditionExpression?: string } {
  const tests = Object.entries(condition ?? {}).map(([name, test]) => testExpression(placeholders.name(name), test, placeholders))
  return tests.length > 0 ? { ConditionExpression: tests.join(' AND ') } : {}
}

function testExpression(name: string, test: Test, placeholders: Placeholders): string {
  if ('exists' in test) return `attribute_${test.exists ? '' : 'not_'}exists(${name})`
  if ('equals' in test) return `${name} = ${placeholders.value(test.equals)}`
  if ('not' in test) return `${name} <> ${placeholders.value(test.not)}`
  if ('atLeast' in test) return `${name} >= ${placeholders.value(test.atLeast)}`
  return `${name} < ${placeholders.value(test.below)}`
}

/** @throws TypeError for invalid changes (rules.ts) */
export function updateExpression(changes: Changes, placeholders: Placeholders): { UpdateExpression: string } {
  const { set, remove, add } = validChanges(changes)
  const clauses = {
    SET: Object.entries(set).map(([name, value]) => `${placeholders.name(name)} = ${placeholders.value(value)}`),
    REMOVE: remove.map((name) => placeholders.name(name)),
    ADD: Object.entries(add).map(([name, amount]) => `${placeholders.name(name)} ${placeholders.value(amount)}`),
  }
  const filled = Object.entries(clauses).filter(([, parts]) => parts.length > 0)
  return { UpdateExpression: filled.map(([clause, parts]) => `${clause} ${parts.join(', ')}`).join(' ') }
}

/** The partition and range of a query, which must not be an empty one (range.ts). */
export function keyConditionExpression({ pk, sk, index }: Query, placeholders: Placeholders): { KeyConditionExpression: string } {
  const names = index ? indexes[index] : { pk: 'pk', sk: 'sk' }
  const partition = `${placeholders.name(names.pk)} = ${placeholders.value(pk)}`
  const range = sk && rangeExpression(() => placeholders.name(names.sk), sk, placeholders)
  return { KeyConditionExpression: range ? `${partition} AND ${range}` : partition }
}

function rangeExpression(name: () => string, sk: NonNullable<Query['sk']>, placeholders: Placeholders): string | undefined {
  if ('beginsWith' in sk) return sk.beginsWith === '' ? undefined : `begins_with(${name()}, ${placeholders.value(sk.beginsWith)})`
  const { from, to } = sk
  if (from && to !== undefined) return `${name()} BETWEEN ${placeholders.value(from)} AND ${placeholders.value(to)}`
  if (from) return `${name()} >= ${placeholders.value(from)}`
  return to === undefined ? undefined : `${name()} <= ${placeholders.value(to)}`
}
