import assert from 'node:assert/strict'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { sesClient, sesMail } from '../../../shared/backends/mail/ses.ts'
import { dropped, lost, refusal, unanswered } from '../../support/aws/faults/fault.ts'
import { faultyEndpoint } from '../../support/aws/faults/faulty-endpoint.ts'
import { mailContract } from './contract.ts'
import { configurationSet, sentBy, verifySender } from './sent-by-ses.ts'

const engine = process.env.AWS_ENDPOINT_URL
assert.ok(engine, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const sender = 'Media Library <faults@example.com>'
const sentTo = (address: string) => sentBy(sender, address)

const direct = new SESv2Client()
const endpoint = await faultyEndpoint(engine)
const faulty = sesClient({ endpoint: endpoint.url, requestHandler: { requestTimeout: 1000, throwOnRequestTimeout: true } })
const mail = sesMail({ sender, configurationSet, client: faulty })
afterAll(async () => {
  direct.destroy()
  faulty.destroy()
  await endpoint.close()
})

const refused = [refusal(429, 'TooManyRequestsException'), refusal(400, 'ThrottlingException'), refusal(503, 'ServiceUnavailable'), dropped]

describe('SES when requests fail now and then', () => {
  beforeAll(() => endpoint.follow({ seed: 'mail contract', rate: 0.5, faults: () => refused }))
  afterAll(() => {
    endpoint.follow(undefined)
    assert.ok(endpoint.injected > 0)
  })

  mailContract('SES under faults', async () => {
    await verifySender(direct, sender)
    return { mail, sentTo, async close() {} }
  })
})

describe('SES when it fails for good, or at the worst moment', () => {
  beforeAll(() => verifySender(direct, sender))
  afterEach(() => endpoint.follow(undefined))

  const letter = (to: string) => ({ to, subject: 'Your archive', text: 'is ready', html: '<p>is ready</p>' })

  for (const [title, fault] of Object.entries({ 'is lost': lost, 'never comes': unanswered })) {
    test(`a mail whose answer ${title} is sent again: its recipient has it, maybe twice`, async () => {
      const to = `${fault.name}@example.com`
      endpoint.follow({ seed: to, rate: 0.999, faults: () => [fault] })
      await mail.send(letter(to))
      const received = await sentTo(to)
      assert.ok(received.length > 1)
      for (const mail of received) assert.deepEqual(mail, letter(to))
    })
  }

  test('an outage ends in MailUnavailable, and nothing is sent', async () => {
    endpoint.follow({ seed: 'outage', rate: 1, faults: () => [refusal(503, 'ServiceUnavailable')] })
    await assert.rejects(mail.send(letter('outage@example.com')), MailUnavailable)
    assert.deepEqual(await sentTo('outage@example.com'), [])
  })
})
