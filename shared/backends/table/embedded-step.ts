import type { Condition, Item, Key, Operation, Operations } from './port.ts'
import { checkItemSize, keyOf, validChanges, validItem, validKey } from './rules.ts'

/** An operation: its name, the item's key, its condition, and the change of the item. */
export interface Step {
  name: string
  key: Key
  condition: Condition | undefined
  /** @throws ItemTooLarge, TypeError */
  apply(before: Item | undefined): Item | undefined
}

/** Checks operations and prepares them before their transaction begins. @throws TypeError, ItemTooLarge */
export function toSteps(operations: Operations): Step[] {
  return Object.entries(operations).map(([name, operation]) => toStep(name, operation))
}

function toStep(name: string, operation: Operation): Step {
  const step = { name, key: validKey(keyOf(operation)), condition: operation.if }
  if ('put' in operation) {
    const item = validItem(operation.put)
    checkItemSize(item)
    return { ...step, apply: () => item }
  }
  if ('delete' in operation) return { ...step, apply: () => undefined }
  if ('check' in operation) return { ...step, apply: (before) => before }
  const changes = validChanges(operation.changes)
  return {
    ...step,
    apply(before) {
      const after = changed(before ?? step.key, changes)
      checkItemSize(after)
      return after
    },
  }
}

function changed(before: Item, { set, remove, add }: ReturnType<typeof validChanges>): Item {
  const after: Item = { ...before, ...set }
  for (const name of remove) delete after[name]
  for (const [name, amount] of Object.entries(add)) {
    const value = Object.hasOwn(before, name) ? before[name] : 0
    if (typeof value !== 'number') throw new TypeError(`can't add to ${name}, it is no number`)
    after[name] = value + amount
  }
  return after
}
