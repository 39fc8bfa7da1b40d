import { queueConsumer } from '../../shared/events/consumer.ts'
import { advanceVideo } from '../../shared/library/encodings/advance.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'
import { EncodingMessage } from './encoding-message.ts'

export const encodeVideo = queueConsumer({
  summary:
    'Brings what is stored of a video to what its record says: starts jobs of the transcoder and takes their results, shows subtitles, removes what was made of a deleted file',
  trigger: { queue: 'encodings', concurrency: 5 },
  uses: { table: 'write', media: 'write', publicFiles: 'streams', transcoder: 'start', encodings: 'send' },
  timeoutSeconds: 60,
  async handle({ message, receives, encodings, log, ...library }) {
    const { data, error } = EncodingMessage.safeParse(message)
    if (!data) {
      // Another attempt would understand it no better.
      log.warn('a message of the transcoder was not understood', { at: error.issues.map(({ path }) => path.join('.')) })
      return
    }
    const { video, hasJobEnded } = data
    const delaySeconds = await advanceVideo({ ...library, log }, video, { isAgain: receives > 1, hasJobEnded })
    if (delaySeconds !== undefined) await encodings.send(video, { delaySeconds, group: companyGroup(video.companyId) })
  },
})
