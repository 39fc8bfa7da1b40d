import { isDeepStrictEqual } from 'node:util'
import { byField } from '../../vocabulary/editable-fields.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { ChangedSince, NotFound } from '../errors.ts'
import { editOne } from '../media/edit.ts'
import { availableMediaWith } from '../media/find.ts'
import { type AvailableMedia, type EditableMetadata, emptiedBefore } from '../media/media.ts'
import { type Restoring, restoreFile } from '../versions/restore-file.ts'
import { entriesOf, type HistoryEntry, valuesOf } from './entries.ts'

/**
 * Puts back what one step of a file changed, in one step. Needs WRITE.
 * @param version that the step made
 * @param how.force also where a later step changed the same
 * @returns the file's version now; the same as before where nothing changes
 * @throws NotFound also for a version that the history doesn't list, Forbidden, Conflict `changed_since`, `current_file`, VersionMismatch
 */
export async function revertStep(library: Restoring, mediaId: MediaId, version: number, { force }: { force: boolean }): Promise<number> {
  const media = await availableMediaWith(library, 'WRITE', mediaId)
  const { step } = await stepAndLater(library, media, version)
  if (step.kind === 'file') return (await restoreFile(library, mediaId, step.before.fileNumber, {}))?.version ?? media.version
  const wanted = valuesOf(step, step.before)
  const restored: Partial<EditableMetadata> = byField(wanted)
  const { media: edited } = await editOne(library, mediaId, async (current) => {
    if (isDeepStrictEqual(wanted, valuesOf(step, current))) return undefined
    const { later } = await stepAndLater(library, current, version)
    const changed = step.changed.filter((name) => later.has(name))
    if (changed.length > 0 && !force) throw new ChangedSince(changed)
    return { ...restored, emptied: emptiedBefore(current, { restored, emptied: step.before.emptied }) }
  })
  return edited.version
}

/** The step to a version, and the names of what later ones changed. @throws NotFound */
async function stepAndLater(
  library: Restoring,
  media: AvailableMedia,
  version: number,
): Promise<{ step: HistoryEntry; later: Set<string> }> {
  const later = new Set<string>()
  for await (const step of entriesOf(library, media)) {
    if (step.version === version) return { step, later }
    if (step.version < version) break
    for (const name of step.changed) later.add(name)
  }
  throw new NotFound('version')
}
