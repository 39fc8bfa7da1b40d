import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2'
import { MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { sesMail } from '../../../shared/backends/mail/ses.ts'
import { mailContract, sender } from './contract.ts'

const client = new SESv2Client()
after(() => client.destroy())

/** What ministack tells of a mail that it took; no AWS interface shows sent mail. */
interface SentMessage {
  Source: string
  To: string[]
  Subject: string
  BodyText: string
  BodyHtml: string
}

mailContract('SES', async () => {
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity: 'library@example.com' })).catch((error) => {
    if (error.name !== 'AlreadyExistsException') throw error
  })
  return {
    mail: sesMail({ sender, client }),
    async sentTo(address) {
      const answer = await fetch(`${process.env.AWS_ENDPOINT_URL}/_ministack/ses/messages`)
      const { messages } = (await answer.json()) as { messages: Record<string, SentMessage[]> }
      const mails = Object.values(messages)
        .flat()
        .filter(({ To }) => To.includes(address))
      return mails.map(({ Source, To, Subject, BodyText, BodyHtml }) => {
        assert.equal(Source, sender)
        assert.equal(To.length, 1)
        return { to: To[0]!, subject: Subject, text: BodyText, html: BodyHtml }
      })
    },
    async close() {},
  }
})

describe('SES mail', () => {
  test('a service that is not there is MailUnavailable', async () => {
    const nowhere = new SESv2Client({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 })
    const mail = sesMail({ sender, client: nowhere })
    await assert.rejects(mail.send({ to: 'anna@example.com', subject: 's', text: 't', html: 'h' }), MailUnavailable)
    nowhere.destroy()
  })
})
