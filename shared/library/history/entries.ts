import type { Clock } from '../../backends/clock/port.ts'
import { type ValuesByName, valuesByName } from '../../vocabulary/editable-fields.ts'
import type { ShownActor } from '../actor.ts'
import type { Reading } from '../library.ts'
import type { AvailableMedia, EditableMetadata, Step } from '../media/media.ts'
import { changedNames, KEPT_DAYS, MAX_STEPS, type State, stateOf, statesBefore, stepsTo } from '../media/states.ts'

/** A step of a file: fields that were edited, or another current file. */
export interface HistoryEntry {
  /** The version that the step made. */
  version: number
  /** UNIX milliseconds */
  at: number
  actor: ShownActor
  /** The states before and after it. */
  before: State
  after: State
  kind: 'metadata' | 'file'
  /** The interface's names of changed fields; `file` of a file. */
  changed: string[]
}

/** Values of what a step changed, by the interface's names. */
export type Values = Partial<ValuesByName> & { file_number?: number }

/** States of a query. */
const AT_ONCE = 50

/**
 * The last steps of a file, newest first: as many as are kept, and none that is too old.
 * @param below only steps to versions before this one
 */
export async function* entriesOf(
  library: Reading & { clock: Clock },
  media: AvailableMedia,
  { below, atOnce = AT_ONCE }: { below?: number | undefined; atOnce?: number } = {},
): AsyncGenerator<HistoryEntry> {
  const { lastStep } = media
  if (!lastStep) return
  const oldest = library.clock.now() - KEPT_DAYS * 86_400_000
  // A state that is newer than the record is of a step that has not committed.
  const isPresent = below === undefined || below > lastStep.version
  let after = isPresent ? stateOf(media) : undefined
  for await (const before of statesBefore(library, media.mediaId, isPresent ? lastStep.version : below, atOnce)) {
    if (after?.lastStep) {
      if (lastStep.count - after.lastStep.count >= MAX_STEPS) return
      // The state in between has expired.
      const isGap = stepsTo(before) !== after.lastStep.count - 1
      if (!isGap && after.lastStep.at >= oldest) yield entryOf(before, after, after.lastStep)
    }
    after = before
  }
}

function entryOf(before: State, after: State, { version, at, by: actor }: Step): HistoryEntry {
  const step = { version, at, actor, before, after }
  if (before.fileNumber !== after.fileNumber) return { ...step, kind: 'file', changed: ['file'] }
  return { ...step, kind: 'metadata', changed: changedNames(before, after) }
}

/** Values by the interface's names of what a step changed. */
export function valuesOf(
  { kind, changed }: Pick<HistoryEntry, 'kind' | 'changed'>,
  state: EditableMetadata & { fileNumber?: number },
): Values {
  if (kind === 'file') return { file_number: state.fileNumber ?? 1 }
  return Object.fromEntries(Object.entries(valuesByName(state)).filter(([name]) => changed.includes(name)))
}
