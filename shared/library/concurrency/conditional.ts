import { ConditionFailed, type Test } from '../../backends/table/port.ts'

/** @returns whether the conditions of a write held; if not, nothing was written @throws every other error of the write */
export async function held(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** The condition that an attribute still has the value that was read; undefined: that it is absent. */
export const asRead = (value: string | number | boolean | undefined): Test => (value === undefined ? { exists: false } : { equals: value })
