import type { Clock } from '../../backends/clock/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { type Due, dueTime } from '../due.ts'
import { JobKind } from '../jobs/job.ts'

/** Days after which what lies in a trashcan is deleted for good. */
export const TRASH_DAYS = 30

export const TRASH_MS = TRASH_DAYS * 86_400_000

/** The partition of the index of due records that holds the trash of a company. */
export const trashKey = (companyId: CompanyId): string => `TRASH#${companyId}`

/** When a record that is put into a trashcan now is to be deleted. @param now UNIX milliseconds */
export const trashDue = (companyId: CompanyId, now: number): Due => ({ dueKey: trashKey(companyId), dueAt: dueTime(now + TRASH_MS) })

/** When a record that is due in a trashcan was put there, in UNIX milliseconds. */
export const trashedAt = ({ dueAt }: Pick<Due, 'dueAt'>): number => Date.parse(dueAt) - TRASH_MS

/**
 * Deletes what has lain in the trashcans of a company for its time. A company has this job from its beginning, and it never ends: it runs when the next
 * entry is due, or `TRASH_DAYS` later. So putting something into a trashcan asks for nothing, and an entry that a run misses is due after the next one.
 */
export const trashJob = new JobKind<null>('expire-trash')

/** The write that asks for it, in the transaction that creates the company. */
export const askForTrashExpiry = (library: { clock: Clock; by: Actor }, companyId: CompanyId): Operation =>
  trashJob.ask(library, { companyId, subject: String(companyId), input: null, at: library.clock.now() + TRASH_MS })
