import { api, dataOf, type Schemas } from '../api/client.ts'
import { untilDone } from '../api/polling.ts'
import { slicesOf } from '../api/slices.ts'

export type BulkSelection = Schemas['BulkSelection']
export type BulkChange = Schemas['BulkChange']
export type BulkState = Schemas['BulkState']

/** Ids that one request may name. */
const MOST_NAMED = 10_000

/** Files that something is done with. */
export interface Chosen {
  ids: readonly number[]
  /** The search that finds these and no others, and how many it finds. */
  whole?: { search: Record<string, string>; expect: number } | undefined
}

/** The same as requests take it. */
export function selectionsOf({ ids, whole }: Chosen): BulkSelection[] {
  return whole ? [whole] : slicesOf(ids, MOST_NAMED).map((some) => ({ ids: some }))
}

/** Starts a change. @returns the job's id @throws MediaLibraryError `selection_changed` where a search finds another number of files */
export async function beginBulk(select: BulkSelection, change: BulkChange): Promise<string> {
  return (await dataOf(api.POST('/media/bulk', { body: { select, change } }))).job_id
}

/** Starts to put back what a change has changed. @returns the job's id */
export async function beginUndo(jobId: string): Promise<string> {
  return (await dataOf(api.POST('/bulk/{job_id}/undo', { params: { path: { job_id: jobId } } }))).job_id
}

/** Waits until a job has ended. @param onProgress is told each state before that */
export function endOfBulk(jobId: string, onProgress: (state: BulkState) => void): Promise<BulkState> {
  return untilDone(async () => {
    const state = await dataOf(api.GET('/bulk/{job_id}', { params: { path: { job_id: jobId } } }))
    if (state.state !== 'PENDING') return state
    onProgress(state)
    return undefined
  })
}
