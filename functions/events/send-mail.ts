import { queueConsumer } from '../../shared/events/consumer.ts'
import { mailPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'
import { mailStream } from '../../shared/library/encodings/stream-email.ts'
import { mailZip } from '../../shared/library/zips/zip-email.ts'

export const sendMail = queueConsumer({
  summary: 'Sends e-mails: codes for new passwords, where zips can be downloaded, and where streams can be watched',
  trigger: { queue: 'mails', concurrency: 2 },
  uses: { table: 'write', mail: 'send', urls: 'sign' },
  timeoutSeconds: 30,
  async handle({ message, log, ...library }) {
    if ('zip' in message) {
      const unmailed = await mailZip(library, message.zip)
      if (unmailed) log.warn('a zip was not mailed', { ...unmailed, ...message })
    } else if ('stream' in message) {
      const unmailed = await mailStream(library, message.stream, message.encodingId)
      if (unmailed) log.warn('a stream was not mailed', { ...unmailed, ...message })
    } else {
      const unmailed = await mailPasswordReset(library, message.passwordReset)
      if (unmailed) log.warn('a password reset was not mailed', { ...unmailed, ...message })
    }
  },
})
