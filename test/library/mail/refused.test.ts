import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { sendMail } from '../../../functions/jobs/send-mail.ts'
import { type Mail, MailRefused, MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { requestPasswordReset } from '../../../shared/library/accounts/password-reset-requests.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import type { Claimed } from '../../../shared/library/jobs/job.ts'
import { listMailFailures } from '../../../shared/library/mail/failures.ts'
import type { Log } from '../../../shared/log/log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { openTestTable } from '../../support/library.ts'

describe('an e-mail that is asked for', () => {
  let library: ReturnType<typeof openTestTable>
  let warnings: string[]
  const warn = (message: string) => void warnings.push(message)
  const log: Log = { info: () => {}, warn, error: () => {}, with: () => log }
  beforeEach(() => {
    library = openTestTable()
    warnings = []
  })

  /** Runs the job of a new password's e-mail, which the mail service answers with an error. */
  async function run(error: Error): Promise<void> {
    const { companyId } = await openCompany(library, 'Example')
    const user = { companyId, username: 'anna', fullname: 'Anna', password: 'a password', admin: false, email: 'anna@example.com' }
    await addUser(library, user)
    await requestPasswordReset(library, { companyId, username: 'anna', baseUrl: 'https://media.example.com', requestId: 'r-1' })
    const { items } = await library.table.scan()
    const job = items.find(({ sk, kind }) => sk === 'JOB' && kind === 'send-mail') as Claimed
    const mail: Mail = {
      async send() {
        throw error
      },
    }
    const settings = { ...defaultSettings, playerUrl: '', cdnUrl: '' }
    const urls = {} as never
    await sendMail.handle({ ...library, job, mail, urls, by: { kind: 'job', job: 'send-mail', run: 'r' }, settings, log })
  }
  const failures = () => listMailFailures(library, { since: 0, limit: 10 })

  test('is done when the mail service refuses it for good, and noted as failed', async () => {
    const cause = new Error('Email address is not verified: library@example.com')
    await run(new MailRefused('SES refuses the mail: MessageRejected', { cause }))
    const found = (await failures()).map(({ kind, recipient, subject, diagnostic }) => ({ kind, recipient, subject, diagnostic }))
    const subject = `${defaultSettings.brand}: Your new password`
    assert.deepEqual(found, [{ kind: 'reject', recipient: 'anna@example.com', subject, diagnostic: cause.message }])
    assert.deepEqual(warnings, ['an e-mail was refused for good'])
  })

  test('is tried again when the mail service could not take it', async () => {
    await assert.rejects(run(new MailUnavailable('SES did not take the mail: TooManyRequestsException')), MailUnavailable)
    assert.deepEqual(await failures(), [])
  })
})
