import assert from 'node:assert/strict'
import PostalMime from 'postal-mime'
import { describe, test } from 'vitest'
import { MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { smtpMail } from '../../../shared/backends/mail/smtp.ts'
import { freePort } from '../../support/aws/free-port.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { mailContract, sender } from './contract.ts'
import { asEmail } from './message.ts'

/** Takes messages without encryption, as a relay of a network does. */
const plain = { disabledCommands: ['STARTTLS'] }

mailContract('SMTP', async () => {
  const server = await startMailServer(plain)
  return {
    mail: smtpMail({ url: `smtp://127.0.0.1:${server.port}`, sender }),
    async sentTo(address) {
      const mails = await Promise.all(server.received.map((message) => PostalMime.parse(message)))
      return mails.filter(({ to }) => to?.some((recipient) => recipient.address === address)).map(asEmail)
    },
    close: async () => server[Symbol.asyncDispose](),
  }
})

describe('mail by SMTP', () => {
  const hello = { to: 'anna@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

  test('comes from the sender', async () => {
    await using server = await startMailServer(plain)
    await smtpMail({ url: `smtp://127.0.0.1:${server.port}`, sender }).send(hello)
    const { from } = await PostalMime.parse(server.received[0]!)
    assert.deepEqual([from?.name, from?.address], ['Media Library', 'library@example.com'])
  })

  test('a password is never told to a server that does not encrypt', async () => {
    await using server = await startMailServer({ ...plain, allowInsecureAuth: true })
    await assert.rejects(smtpMail({ url: `smtp://anna:s%C3%A9cret@127.0.0.1:${server.port}`, sender }).send(hello), MailUnavailable)
    assert.deepEqual([server.signedIn, server.received], [[], []])
  })

  test('what the server refuses, and a server that is not there, is a failure that may be tried again', async () => {
    await using server = await startMailServer(plain, (message) => message.includes('Hello'))
    await assert.rejects(smtpMail({ url: `smtp://127.0.0.1:${server.port}`, sender }).send(hello), MailUnavailable)
    await assert.rejects(smtpMail({ url: `smtp://127.0.0.1:${await freePort()}`, sender }).send(hello), MailUnavailable)
  })
})
