import { queueConsumer } from '../../shared/events/consumer.ts'
import { recordMailFailure } from '../../shared/library/mail/failures.ts'
import { SesEvent } from './ses-event.ts'

export const recordMailEvent = queueConsumer({
  summary: 'Records e-mails that did not arrive, or that were called spam, for the operator',
  trigger: { queue: 'mailEvents', concurrency: 2 },
  uses: { table: 'write' },
  timeoutSeconds: 30,
  async handle({ message, log, table }) {
    const { data: failure, error } = SesEvent.safeParse(message)
    if (!failure) {
      // Another attempt would understand it no better.
      log.warn('an event of the mail service was not understood', { at: error.issues.map(({ path }) => path.join('.')) })
      return
    }
    await recordMailFailure({ table }, failure)
    log.warn('an e-mail failed', { kind: failure.kind, messageId: failure.messageId })
  },
})
