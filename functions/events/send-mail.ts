import { queueConsumer } from '../../shared/events/consumer.ts'
import { mailPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'

export const sendMail = queueConsumer({
  summary: 'Sends e-mails: codes for new passwords',
  trigger: { queue: 'mails', concurrency: 2 },
  uses: { table: 'write', mail: 'send' },
  timeoutSeconds: 30,
  async handle({ message, log, ...library }) {
    const unmailed = await mailPasswordReset(library, message.passwordReset)
    if (unmailed) log.warn('a password reset was not mailed', { ...unmailed, reset: message.passwordReset })
  },
})
