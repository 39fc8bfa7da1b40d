import { currentFile, type FormerFile } from '../media/files.ts'
import type { AvailableMedia } from '../media/media.ts'
import { SUPERSEDED_MS } from '../media/sweep-job.ts'

/** Numbers that a company keeps no longer. */
export interface Overdue {
  gone: FormerFile[]
  /** Whether others have to go later. */
  isMore: boolean
}

/**
 * The numbers of a file that have to go: all but the last `keep` whose import succeeded, and pinned ones. A number stays for 23 hours more when it leaves
 * the last ones. Failed imports go with what is older than those.
 * @param former all numbers that aren't current, newest first
 */
export function overdueOf(media: AvailableMedia, former: readonly FormerFile[], keep: number, now: number): Overdue {
  const { fileNumber, fileCreated } = currentFile(media)
  const imported = former.filter(({ state }) => state === 'available')
  const created = [fileCreated, ...imported.map((each) => each.fileCreated)]
  const numbers = [fileNumber, ...imported.map((each) => each.fileNumber)]
  const oldestKept = numbers[keep - 1] ?? 0
  const failed = former.filter((each) => each.state === 'failed' && each.fileNumber < oldestKept)
  const surplus = imported.flatMap((each, older) => {
    // `older + 1` numbers are newer. The last of the kept ones came in when it left.
    const left = created[older + 1 - keep]
    return left === undefined || each.pinned ? [] : [{ each, due: left + SUPERSEDED_MS }]
  })
  const due = surplus.filter((each) => each.due <= now).map(({ each }) => each)
  return { gone: [...due, ...failed.filter(({ pinned }) => !pinned)], isMore: due.length < surplus.length }
}
