import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { MailRefused, MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { sesClient, sesMail } from '../../../shared/backends/mail/ses.ts'
import { answering, breaking, clientOf } from '../../support/answering.ts'
import { plain } from '../../support/hostile-answers.ts'
import { sender } from './contract.ts'

const hello = { to: 'anna@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

test.each([
  [403, 'AccessDeniedException'],
  [429, 'TooManyRequestsException'],
])('a mail that SES refuses by %i %s may be tried again, and the error names the refusal alone', async (status, code) => {
  const refusal = plain(status, 'application/json', '{"message":"refused: anna@example.com"}', { 'x-amzn-errortype': code })
  const { endpoint, received } = await answering(refusal)
  const client = sesClient({ ...clientOf(endpoint), maxAttempts: 1 })
  onTestFinished(() => client.destroy())
  const mail = sesMail({ sender, configurationSet: 'library', client })
  await assert.rejects(mail.send(hello), new MailUnavailable(`SES did not take the mail: ${code}`))
  assert.equal(JSON.parse(received[0]!.body).FromEmailAddress, sender)
})

test.each(['MessageRejected', 'MailFromDomainNotVerifiedException', 'AccountSuspendedException'])(
  'a mail that SES never takes: %s',
  async (code) => {
    const { endpoint } = await answering(plain(400, 'application/json', '{"message":"not verified"}', { 'x-amzn-errortype': code }))
    const client = sesClient(clientOf(endpoint))
    onTestFinished(() => client.destroy())
    await assert.rejects(
      sesMail({ sender, configurationSet: 'library', client }).send(hello),
      new MailRefused(`SES did not take the mail: ${code}`),
    )
  },
)

test('a mail whose answer is lost is sent again', async () => {
  const { endpoint, received } = await answering(breaking, plain(200, 'application/json', '{}'))
  const client = sesClient(clientOf(endpoint))
  onTestFinished(() => client.destroy())
  await sesMail({ sender, configurationSet: 'library', client }).send(hello)
  assert.equal(received.length, 2)
})
