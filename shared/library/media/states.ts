import { isDeepStrictEqual } from 'node:util'
import { ConditionFailed, type Key } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import { valuesByName } from '../../vocabulary/editable-fields.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { actorShown } from '../actor.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { getMany } from './find.ts'
import { stateKey } from './keys.ts'
import { type EditableMetadata, editable, type MediaRecord, type Step } from './media.ts'

/** Steps of a file that its history tells of, at most, and days for which it does. */
export const MAX_STEPS = 200
export const KEPT_DAYS = 400
const DAY_SECONDS = 86_400

/** States that are looked at when one is kept, because one falls out then. A late writer may have put back another. */
const FALLING_OUT = 2

/** What was editable of a file after a step, and its current file then. Without `lastStep` before the first. Steps of the history are the differences of states. */
export type State = EditableMetadata &
  Pick<MediaRecord, 'mediaId' | 'companyId' | 'emptied' | 'lastStep'> & {
    fileNumber: number
  }

const versionOf = ({ lastStep }: Pick<MediaRecord, 'lastStep'>): number => lastStep?.version ?? 0

/** How many steps led to a state. */
export const stepsTo = ({ lastStep }: Pick<MediaRecord, 'lastStep'>): number => lastStep?.count ?? 0

/** The names of fields that differ. */
export function changedNames(before: EditableMetadata, after: EditableMetadata): string[] {
  const were: Record<string, unknown> = valuesByName(before)
  return Object.entries(valuesByName(after)).flatMap(([name, value]) => (isDeepStrictEqual(were[name], value) ? [] : [name]))
}

/** The step of a file's history that a change of its editable fields or its current file makes. Undefined where it changes nothing of these. */
export function stepTo(before: MediaRecord, after: MediaRecord, { by, at }: { by: Writing['by']; at: number }): Step | undefined {
  if (before.fileNumber === after.fileNumber && changedNames(before, after).length === 0) return undefined
  return { count: stepsTo(before) + 1, version: after.version, at, by: actorShown(by) }
}

/** Commits steps of the histories of files, whose present states are kept before. Nothing is left of a file that was deleted meanwhile. */
export async function commitSteps(
  library: Pick<Writing, 'table' | 'clock'>,
  files: readonly MediaRecord[],
  commit: () => Promise<void>,
): Promise<void> {
  const committed = { ...library, table: library.table.origin ?? library.table }
  await keepStates(committed, files)
  try {
    await commit()
  } catch (error) {
    if (error instanceof ConditionFailed) await forgetDeleted(committed, files)
    throw error
  }
}

/**
 * Keeps the present states of files. A state is a committed one, so a step that fails, or comes twice, changes nothing. Those that no step among the last
 * `MAX_STEPS` needs go. Idempotent.
 */
async function keepStates({ table, clock }: Pick<Writing, 'table' | 'clock'>, files: readonly MediaRecord[]): Promise<void> {
  // A day more than it is told: a late writer may put it again by an older clock.
  const ttl = Math.floor(clock.now() / 1000) + (KEPT_DAYS + 1) * DAY_SECONDS
  await inParallel(files, 16, async (media) => {
    await table.put({ ...stateKey(media.mediaId, versionOf(media)), ...stateOf(media), ttl })
    if (stepsTo(media) > MAX_STEPS) await removeFallenOut({ table }, media)
  })
}

/** Should the step fail, the last `MAX_STEPS` before it are still there. */
async function removeFallenOut({ table }: Pick<Writing, 'table'>, media: MediaRecord): Promise<void> {
  const { items } = await table.query<State & Key>({ ...statesBelow(media.mediaId, versionOf(media)), limit: FALLING_OUT })
  for (const { pk, sk, ...state } of items) {
    if (stepsTo(state) < stepsTo(media) - MAX_STEPS) await table.delete({ pk, sk })
  }
}

/** Removes states that were kept of files which were deleted before their steps committed. */
async function forgetDeleted({ table }: Pick<Writing, 'table'>, files: readonly MediaRecord[]): Promise<void> {
  const ids = files.map(({ mediaId }) => mediaId)
  const left = new Set((await getMany({ table }, ids)).map(({ mediaId }) => mediaId))
  const deleted = files.filter(({ mediaId }) => !left.has(mediaId))
  await inParallel(deleted, 16, (media) => table.delete(stateKey(media.mediaId, versionOf(media))))
}

/** The present state of a file. */
export function stateOf(media: MediaRecord): State {
  const { mediaId, companyId, emptied, lastStep, fileNumber = 1 } = media
  return { ...editable(media), mediaId, companyId, fileNumber, ...(emptied && { emptied }), ...(lastStep && { lastStep }) }
}

/**
 * States of a file before that of a version, newest first. There may be gaps: those of expired states, and any of one that a late writer put back.
 * @param atOnce states of a query
 */
export function statesBefore({ table }: Reading, mediaId: MediaId, version: number, atOnce: number): AsyncGenerator<State> {
  return everyItem<State & Key>(table, { ...statesBelow(mediaId, version), descending: true, consistent: true, limit: atOnce })
}

function statesBelow(mediaId: MediaId, version: number) {
  const [{ pk, sk: from }, { sk: to }] = [stateKey(mediaId, 0), stateKey(mediaId, version - 1)]
  return { pk, sk: { from, to } }
}
