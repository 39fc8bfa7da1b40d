import { randomInt } from 'node:crypto'
import { ConditionFailed } from '../backends/table/port.ts'

/** Largest id: clients read ids as Int32. */
export const MAX_ID = 2 ** 31 - 1

/**
 * Makes a record under a fresh random id. `make` must claim the id by a conditional write as its first operation; when the id is
 * taken another is drawn. At a billion ids taken a draw fails every second time: 64 draws never run out.
 */
export async function withFreshId<T>(make: (id: number) => Promise<T>): Promise<T> {
  for (let draw = 0; draw < 64; draw++) {
    try {
      return await make(randomInt(1, MAX_ID + 1))
    } catch (error) {
      if (!(error instanceof ConditionFailed && error.failed.includes(0))) throw error
    }
  }
  throw new Error('no free id found')
}
