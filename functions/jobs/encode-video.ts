import { videoJob } from '../../shared/library/media/encoding-job.ts'
import { encodingCancelled } from '../../shared/library/videos/encoding-outcome.ts'
import { reconcileVideo } from '../../shared/library/videos/reconcile-video.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const encodeVideo = job({
  kind: videoJob,
  summary:
    'Brings what is stored of a video to what its record says: starts jobs of the transcoder and takes their results, adds silence to sounds that end too early, shows subtitles, removes what was made of a deleted file',
  uses: { table: 'write', media: 'write', publicFiles: 'streams', transcoder: 'start' },
  seconds: 60,
  runs: 5,
  run: async ({ input, ...library }) => reconcileVideo(library, input),
  cancelled: (library, { mediaId }) => encodingCancelled(library, mediaId),
})
