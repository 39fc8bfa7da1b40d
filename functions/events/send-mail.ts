import { queueConsumer } from '../../shared/events/consumer.ts'
import { mailPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'
import { mailZip } from '../../shared/library/zips/zip-email.ts'

export const sendMail = queueConsumer({
  summary: 'Sends e-mails: codes for new passwords, and where zips can be downloaded',
  trigger: { queue: 'mails', concurrency: 2 },
  uses: { table: 'write', mail: 'send', urls: 'sign' },
  timeoutSeconds: 30,
  async handle({ message, log, ...library }) {
    if ('stream' in message) throw new Error('Nobody writes e-mails of streams yet')
    const isZip = 'zip' in message
    const unmailed = isZip ? await mailZip(library, message.zip) : await mailPasswordReset(library, message.passwordReset)
    if (unmailed) log.warn(isZip ? 'a zip was not mailed' : 'a password reset was not mailed', { ...unmailed, ...message })
  },
})
