import { randomInt } from 'node:crypto'
import { ConditionFailed } from '../backends/table/port.ts'
import { FIRST_PROVIDED_ID } from '../vocabulary/ids.ts'
import { Conflict } from './errors.ts'

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

/**
 * Makes a record under the id that is wanted, or under a fresh one where none is.
 * @param what such a record is called
 * @throws Conflict where the wanted id is taken
 */
export async function withId<Id extends number, T>(wanted: Id | undefined, what: string, make: (id: Id) => Promise<T>): Promise<T> {
  if (wanted === undefined) return withFreshId(make)
  try {
    return await make(wanted)
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.failed('claim'))) throw error
    throw new Conflict(`There is another ${what} ${wanted} already.`)
  }
}

/** A random id, which is hardly ever taken. */
export const drawId = <Fresh extends number>(): Fresh => randomInt(1, FIRST_PROVIDED_ID) as Fresh
