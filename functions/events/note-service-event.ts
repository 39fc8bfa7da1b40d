import { recordMailFailure } from '../../shared/library/mail/failures.ts'
import { transcodingEnded } from '../../shared/library/videos/encoding-outcome.ts'
import { serviceConsumer } from '../../shared/runtime/consumer.ts'
import { SesEvent } from './ses-event.ts'
import { TranscoderEvent } from './transcoder-event.ts'

export const noteServiceEvent = serviceConsumer({
  summary: 'Notes what services of AWS tell: jobs of the transcoder that have ended, e-mails that did not arrive or were called spam',
  trigger: { services: ['transcoder', 'mail'] },
  uses: { table: 'write' },
  timeoutSeconds: 30,
  async handle({ message, log, ...library }) {
    const { data: video } = TranscoderEvent.safeParse(message)
    if (video) return transcodingEnded(library, video)
    const { data: failure, error } = SesEvent.safeParse(message)
    if (!failure) {
      // Another attempt would understand it no better.
      log.warn('an event of a service was not understood', { at: error.issues.map(({ path }) => path.join('.')) })
      return
    }
    await recordMailFailure(library, failure)
    log.warn('an e-mail failed', { kind: failure.kind, messageId: failure.messageId })
  },
})
