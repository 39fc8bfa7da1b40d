import { job } from '../../shared/events/consumer.ts'
import { advanceVideo } from '../../shared/library/encodings/advance.ts'
import { encodingCancelled } from '../../shared/library/encodings/cancelled.ts'
import { videoJob } from '../../shared/library/videos/job.ts'

export const encodeVideo = job({
  kind: videoJob,
  summary:
    'Brings what is stored of a video to what its record says: starts jobs of the transcoder and takes their results, shows subtitles, removes what was made of a deleted file',
  uses: { table: 'write', media: 'write', publicFiles: 'streams', transcoder: 'start' },
  seconds: 60,
  runs: 5,
  run: async ({ input, ...library }) => advanceVideo(library, input),
  cancelled: (library, { mediaId }) => encodingCancelled(library, mediaId),
})
