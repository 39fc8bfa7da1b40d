import type { MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'

/** Makes the ThumbHash of a video from its poster. */
export const posterHash = new JobKind<{ mediaId: MediaId }>('hash-poster')
