import { ObjectMissing, ObjectsUnavailable } from '../../backends/objects/port.ts'
import { md5Of } from '../../tools/digest.ts'
import { isAvailable, type MediaRecord, mediaKey, objectKeys } from '../media/media.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/**
 * Reads a file's original and compares its MD5. An original that isn't stored at all is found without reading.
 * @throws ObjectsUnavailable
 */
export async function lookAtOriginal({ table, media: objects }: Library, mediaId: number): Promise<Problem[]> {
  const media = await table.get<MediaRecord>(mediaKey(mediaId))
  if (!objects || !media || !isAvailable(media)) return []
  const ids = { company_id: media.companyId, media_id: mediaId }
  try {
    const { stream } = await objects.get(objectKeys.original(media))
    return (await md5Of(stream)) === media.md5 ? [] : [problem('original_md5_wrong', ids)]
  } catch (error) {
    if (error instanceof ObjectMissing) return []
    if (error instanceof ObjectsUnavailable) throw error
    // A connection that broke off is read anew with the next look; a disk that can't be read stays so.
    return [problem('original_unreadable', ids, `: ${(error as Error).message}.`)]
  }
}
