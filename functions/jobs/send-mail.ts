import { job } from '../../shared/events/consumer.ts'
import { mailPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'
import { mailStream } from '../../shared/library/encodings/stream-email.ts'
import { mailJob } from '../../shared/library/mail/job.ts'
import { mailZip } from '../../shared/library/zips/zip-email.ts'

export const sendMail = job({
  kind: mailJob,
  summary: 'Sends e-mails: codes for new passwords, where zips can be downloaded, and where streams can be watched',
  uses: { table: 'write', mail: 'send', urls: 'sign' },
  seconds: 30,
  async run({ input, log, ...library }) {
    if ('zip' in input) {
      const unmailed = await mailZip(library, input.zip)
      if (unmailed) log.warn('a zip was not mailed', { ...unmailed, ...input })
    } else if ('stream' in input) {
      const unmailed = await mailStream(library, input.stream, input.encodingId)
      if (unmailed) log.warn('a stream was not mailed', { ...unmailed, ...input })
    } else {
      const unmailed = await mailPasswordReset(library, input.passwordReset)
      if (unmailed) log.warn('a password reset was not mailed', { ...unmailed, ...input })
    }
    return undefined
  },
})
