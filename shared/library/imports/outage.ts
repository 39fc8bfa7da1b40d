import { ObjectChanged, ObjectMissing, ObjectsUnavailable } from '../../backends/objects/port.ts'
import { TableUnavailable } from '../../backends/table/port.ts'
import { isOfTheSystem } from '../../tools/failure.ts'
import { Conflict } from '../errors.ts'
import { LeaseLost } from '../jobs/lease.ts'

/** Errors that the file did not cause: the same import may succeed later. */
const outages = [TableUnavailable, ObjectsUnavailable, ObjectMissing, ObjectChanged, Conflict, LeaseLost]

/** Whether infrastructure made an import fail (storage, the system, a missing tool), not the file itself. */
export function isOutage(error: unknown): boolean {
  return isOfTheSystem(error) || outages.some((outage) => error instanceof outage)
}
