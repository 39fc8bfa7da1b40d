import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { foldersHolding, MOST_ASKED } from '../files/calls.ts'
import type { FileList } from '../files/list.svelte.ts'
import { tree } from '../folders/tree.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { folderRights } from '../rights/folder-rights.svelte.ts'
import { missing } from '../rights/refusal.ts'
import { notices } from '../ui/notices.svelte.ts'
import { type BulkChange, type BulkSelection, type BulkState, beginBulk, beginUndo, endOfBulk } from './calls.ts'
import { refusedText } from './refused-text.ts'

/** One request for a change. */
export interface Step {
  select: BulkSelection
  change: BulkChange
}

/** What became of the files of all steps. A file that several steps name counts once. */
interface Outcome {
  jobs: string[]
  changed: number
  refused: Map<number, string>
  refusedTotal: number
}

/**
 * Changes files step by step, tells how far that is, and at the end what was refused, with an offer to take all of it back.
 * @param summary what was done, for a number of files
 * @param files how many there are, where steps name the same ones
 * @returns ids of files that were refused
 */
export async function runBulk(
  list: FileList,
  steps: readonly Step[],
  summary: (count: number) => string,
  files?: number,
): Promise<ReadonlySet<number>> {
  const outcome: Outcome = { jobs: [], changed: 0, refused: new Map(), refusedTotal: 0 }
  try {
    await withProgress(steps, async (step, onProgress) => {
      const job = await beginBulk(step.select, step.change)
      outcome.jobs.push(job)
      count(outcome, await endOfBulk(job, onProgress))
    })
  } catch (error) {
    notices.fail(await whyNot(error, steps))
  }
  await list.reload()
  const { jobs, changed } = outcome
  const refused = refusedText([...outcome.refused.values()], outcome.refusedTotal, await missingOn(outcome.refused))
  const done = files === undefined ? changed : Math.min(changed, files - outcome.refused.size)
  if (done > 0) notices.tell([summary(done), refused].filter(Boolean).join('. '), { label: text.undo, run: () => void undo(list, jobs) })
  else if (refused) notices.fail(new Error(refused))
  else if (jobs.length > 0) notices.tell(text.nothingToChange)
  return new Set(outcome.refused.keys())
}

async function whyNot(error: unknown, steps: readonly Step[]): Promise<unknown> {
  if (!(error instanceof MediaLibraryError)) return error
  if (error.code === 'selection_changed') return new Error(text.selectionChanged)
  return error.status === 403 ? missingFor(steps).catch(() => error) : error
}

/** Rights may have been taken away since the page learnt of them. */
async function missingFor(steps: readonly Step[]): Promise<Error> {
  await Promise.all([folderRights.load(), tree.refreshOpen()])
  const folders = steps.flatMap(({ change: { folders } }) => [folders?.add, folders?.move?.to, folders?.move?.from, folders?.trash?.from])
  const lacking = [...new Set(folders)].flatMap((id) => (id !== undefined && folderRights.has('WRITE', id) === false ? id : []))
  if (lacking.length === 0) throw new Error(text.forbidden)
  return missing('WRITE', lacking)
}

/** Which right is missing on files that were refused. */
async function missingOn(refused: ReadonlyMap<number, string>): Promise<string | undefined> {
  const ids = [...refused].flatMap(([id, code]) => (code === 'forbidden' ? id : [])).slice(0, MOST_ASKED)
  if (ids.length === 0) return undefined
  const holders = await foldersHolding(ids).catch(() => new Map<number, number[]>())
  const folders = [...new Set([...holders.values()].flat())].filter((id) => folderRights.has('WRITE', id) === false)
  return folders.length === 0 ? undefined : missing('WRITE', folders).message
}

/** Puts back what jobs changed, the last one first. */
async function undo(list: FileList, jobs: readonly string[]): Promise<void> {
  const outcome: Outcome = { jobs: [], changed: 0, refused: new Map(), refusedTotal: 0 }
  try {
    await withProgress(jobs.toReversed(), async (job, onProgress) => count(outcome, await endOfBulk(await beginUndo(job), onProgress)))
    const refused = refusedText([...outcome.refused.values()], outcome.refusedTotal)
    if (refused) notices.fail(new Error(`${text.undone}. ${refused}`))
    else notices.tell(text.undone)
  } catch (error) {
    notices.fail(error)
  }
  await list.reload()
}

async function withProgress<Each>(
  each: readonly Each[],
  run: (one: Each, onProgress: (state: BulkState) => void) => Promise<void>,
): Promise<void> {
  const progress = notices.progress()
  try {
    for (const one of each) await run(one, ({ done, total }) => progress.show(text.changing(done, total)))
  } finally {
    progress.end()
  }
}

function count(outcome: Outcome, { state, changed, refused, refused_total }: BulkState): void {
  if (state === 'FAILED') throw new Error(text.failed)
  outcome.changed += changed
  outcome.refusedTotal += refused_total
  for (const { media_id, code } of refused) outcome.refused.set(media_id, code)
}
