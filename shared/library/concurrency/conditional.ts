import { ConditionFailed, type Test } from '../../backends/table/port.ts'

/** Whether the conditions of a write held. When they did not, nothing was written. @throws every other failure of the write */
export async function held(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** The condition that an attribute is as it was read; undefined where it was absent. */
export const asRead = (value: string | number | undefined): Test => (value === undefined ? { exists: false } : { equals: value })
