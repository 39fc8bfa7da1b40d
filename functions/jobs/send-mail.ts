import { mailForgotten } from '../../shared/library/accounts/forgotten-passwords.ts'
import { mailPasswordReset } from '../../shared/library/accounts/password-reset-requests.ts'
import { mailJob } from '../../shared/library/mail/job.ts'
import { notingRefusals } from '../../shared/library/mail/refused.ts'
import { mailInvitation } from '../../shared/library/people/invitations.ts'
import { mailQuota } from '../../shared/library/quota/quota-email.ts'
import { mailStream } from '../../shared/library/videos/stream-email.ts'
import { mailWebhook } from '../../shared/library/webhooks/webhook-email.ts'
import { mailZip } from '../../shared/library/zips/zip-email.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const sendMail = job({
  kind: mailJob,
  group: 'short-jobs',
  summary:
    'Sends e-mails: invitations, codes for new passwords, where zips can be downloaded, where streams can be watched, that quotas are filled, and which webhooks were turned off',
  uses: { table: 'write', mail: 'send', urls: 'sign' },
  seconds: 30,
  async run({ input, companyId, log, ...given }) {
    const library = { ...given, mail: notingRefusals({ ...given, log }) }
    if ('zip' in input) {
      const unmailed = await mailZip(library, input.zip)
      if (unmailed) log.warn('a zip was not mailed', { ...unmailed, ...input })
    } else if ('stream' in input) {
      const unmailed = await mailStream(library, input.stream, input.encodingId)
      if (unmailed) log.warn('a stream was not mailed', { ...unmailed, ...input })
    } else if ('quota' in input) {
      const unmailed = await mailQuota(library, input)
      if (unmailed) log.warn('an admin was not mailed', { ...unmailed, ...input })
    } else if ('webhook' in input) {
      const unmailed = await mailWebhook(library, companyId, input)
      if (unmailed) log.warn('the end of a webhook was not mailed', { ...unmailed, ...input })
    } else if ('invitation' in input) {
      const unmailed = await mailInvitation(library, companyId, input)
      if (unmailed) log.warn('an invitation was not mailed', { ...unmailed })
    } else if ('forgotten' in input) {
      const unmailed = await mailForgotten(library, input.forgotten)
      if (unmailed) log.warn('a forgotten password was not mailed', { ...unmailed, ...input })
    } else {
      const unmailed = await mailPasswordReset(library, input.passwordReset)
      if (unmailed) log.warn('a password reset was not mailed', { ...unmailed, ...input })
    }
    return undefined
  },
})
