import { currentFile, type FormerFile } from '../media/files.ts'
import type { AvailableMedia } from '../media/media.ts'
import { SUPERSEDED_MS } from '../media/sweep-job.ts'

/** Numbers that a company no longer keeps. */
export interface Overdue {
  /** Those to delete now. */
  gone: FormerFile[]
  /** Whether others are to be deleted later. */
  isMore: boolean
}

/**
 * The numbers of a file to delete: all but the last `keep` whose import succeeded, and pinned ones. Each stays for 23 hours after newer ones have pushed it
 * out of the last `keep`. Failed imports go once they are older than all of these.
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
    // Its own time is `created[older + 1]`. The number that is `keep` places newer pushed it out.
    const pushedOut = created[older + 1 - keep]
    return pushedOut === undefined || each.pinned ? [] : [{ each, due: pushedOut + SUPERSEDED_MS }]
  })
  const due = surplus.filter((each) => each.due <= now).map(({ each }) => each)
  return { gone: [...due, ...failed.filter(({ pinned }) => !pinned)], isMore: due.length < surplus.length }
}
