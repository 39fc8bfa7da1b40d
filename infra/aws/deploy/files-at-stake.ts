import { s3Objects } from '../../../shared/backends/objects/s3.ts'
import { SNAPSHOTS } from '../../../shared/library/index-snapshots/record.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'
import { everyObject } from '../../../shared/library/pages.ts'

/**
 * Whether files of users go with a stack.
 * @param outputs of the stack
 * @throws Error where the bucket can't be read
 */
export async function filesAtStake(outputs: ReadonlyMap<string, string>): Promise<boolean> {
  const bucket = outputs.get('MediaBucket')
  if (outputs.get('FilesStay') === 'true' || bucket === undefined) return false
  for await (const { key } of everyObject(s3Objects({ bucket }), '')) {
    if (key !== GENERIC_THUMBNAIL_KEY && !key.startsWith(SNAPSHOTS)) return true
  }
  return false
}
