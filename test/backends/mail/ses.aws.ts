import { SESv2Client } from '@aws-sdk/client-sesv2'
import { afterAll } from 'vitest'
import { sesMail } from '../../../shared/backends/mail/ses.ts'
import { mailContract, sender } from './contract.ts'
import { configurationSet, sentBy, verifySender } from './sent-by-ses.ts'

const client = new SESv2Client()
afterAll(() => client.destroy())

mailContract('SES', async () => {
  await verifySender(client, sender)
  return { mail: sesMail({ sender, configurationSet, client }), sentTo: (address) => sentBy(sender, address), async close() {} }
})
