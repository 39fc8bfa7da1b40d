import { randomInt } from 'node:crypto'
import { ConditionFailed } from '../backends/table/port.ts'
import { FIRST_PROVIDED_ID } from '../vocabulary/ids.ts'

/**
 * Makes a record under a fresh random id of the kind that `make` takes. `make` claims the id by the operation `claim` of
 * a transaction, which fails when the id is taken: then another is drawn. At a billion ids taken a draw fails every second time: 64 draws never run out.
 */
export async function withFreshId<Fresh extends number, T>(make: (id: Fresh) => Promise<T>): Promise<T> {
  for (let draw = 0; draw < 64; draw++) {
    try {
      return await make(drawId())
    } catch (error) {
      if (!(error instanceof ConditionFailed && error.failed('claim'))) throw error
    }
  }
  throw new Error('no free id found')
}

/** A random id, which is hardly ever taken. */
export const drawId = <Fresh extends number>(): Fresh => randomInt(1, FIRST_PROVIDED_ID) as Fresh
