import { randomInt } from 'node:crypto'
import { ConditionFailed } from '../backends/table/port.ts'
import { FIRST_PROVIDED_ID } from '../vocabulary/ids.ts'
import { Conflict } from './errors.ts'

/**
 * Creates a record with a random id. The transaction of `make` claims the id by its operation `claim`, which fails if the id is taken. Then
 * another id is drawn. With a billion ids taken every second draw fails, so 64 draws suffice.
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
 * Creates a record with the wanted id, or with a random one if none is wanted.
 * @param what kind of record, for the message
 * @throws Conflict if the wanted id is taken
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

/** A random id. Rarely taken. */
export const drawId = <Fresh extends number>(): Fresh => randomInt(1, FIRST_PROVIDED_ID) as Fresh
