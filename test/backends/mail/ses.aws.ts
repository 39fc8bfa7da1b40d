import assert from 'node:assert/strict'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import { afterAll, describe, test } from 'vitest'
import { MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { sesMail } from '../../../shared/backends/mail/ses.ts'
import { mailContract, sender } from './contract.ts'
import { configurationSet, sentBy, verifySender } from './sent-by-ses.ts'

const client = new SESv2Client()
afterAll(() => client.destroy())

mailContract('SES', async () => {
  await verifySender(client, sender)
  return { mail: sesMail({ sender, configurationSet, client }), sentTo: (address) => sentBy(sender, address), async close() {} }
})

describe('SES mail', () => {
  test('a service that is not there is MailUnavailable', async () => {
    const nowhere = new SESv2Client({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 })
    const mail = sesMail({ sender, configurationSet, client: nowhere })
    await assert.rejects(mail.send({ to: 'anna@example.com', subject: 's', text: 't', html: 'h' }), MailUnavailable)
    nowhere.destroy()
  })
})
