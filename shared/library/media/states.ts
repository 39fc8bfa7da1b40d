import { inParallel } from '../../parallel.ts'
import type { Writing } from '../library.ts'
import { stateKey } from './keys.ts'
import { type AvailableMedia, type EditableMetadata, editable, type MediaRecord } from './media.ts'

/** Days for which a state is kept after the step that ended it. */
const KEPT_DAYS = 400

/** What was editable of a file at one of its versions, and its current file then. Steps of the history are the differences of states. */
export type State = EditableMetadata &
  Pick<MediaRecord, 'mediaId' | 'companyId' | 'version' | 'emptied' | 'editedBy'> & {
    fileNumber: number
    /** When this version began, in UNIX milliseconds. */
    modified: number
    ttl: number
  }

/**
 * Keeps the present states of files, before a step of their versions commits. A state is that of a version that is committed, so a step that fails, or comes
 * twice, changes nothing. Idempotent.
 */
export async function keepStates(library: Pick<Writing, 'table' | 'clock'>, files: readonly AvailableMedia[]): Promise<void> {
  const table = library.table.origin ?? library.table
  const ttl = Math.floor(library.clock.now() / 1000) + KEPT_DAYS * 86_400
  await inParallel(files, 16, (media) => {
    const { mediaId, companyId, version, emptied, editedBy, fileNumber = 1, modified } = media
    const state: State = {
      ...editable(media),
      mediaId,
      companyId,
      version,
      fileNumber,
      modified,
      ttl,
      ...(emptied && { emptied }),
      ...(editedBy && { editedBy }),
    }
    return table.put({ ...stateKey(mediaId, version), ...state })
  })
}
