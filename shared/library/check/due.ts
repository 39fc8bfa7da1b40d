import { type Due, dueTime } from '../due.ts'
import type { FolderRecord } from '../tree/folder.ts'

/** The job of a company's trash runs when the next entry is due: what is due for a day is stuck. */
const EXPIRED_WITHIN_MS = 86_400_000

/**
 * The fault of the time at which an entry of a folder is to be deleted: only entries of trashcans have one.
 * @param folder undefined for the root @param now UNIX milliseconds
 */
export function dueFault({ dueKey, dueAt }: Partial<Due>, folder: FolderRecord | undefined, now: number): 'wrong' | 'late' | undefined {
  const inTrash = folder?.system === 'trash'
  if ((dueKey !== undefined) !== inTrash || (dueAt !== undefined) !== inTrash) return 'wrong'
  return dueAt !== undefined && dueAt < dueTime(now - EXPIRED_WITHIN_MS) ? 'late' : undefined
}
