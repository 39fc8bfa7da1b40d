import assert from 'node:assert/strict'
import { CreateConfigurationSetCommand, CreateEmailIdentityCommand, type SESv2Client } from '@aws-sdk/client-sesv2'
import { decodeWords } from 'postal-mime'
import type { Email } from '../../../shared/backends/mail/port.ts'

/** What ministack tells of a mail that it took; no AWS interface shows sent mail. */
interface SentMessage {
  Source: string
  To: string[]
  Subject: string
  BodyText: string
  BodyHtml: string
}

/** The one that `verifySender` makes. */
export const configurationSet = 'media-library'

/** Makes SES take mail from a sender; suites that run at once tell their mails apart by it. */
export async function verifySender(client: SESv2Client, sender: string): Promise<void> {
  const EmailIdentity = /<(.*)>/.exec(sender)![1]
  const unlessThere = (error: Error) => {
    if (error.name !== 'AlreadyExistsException') throw error
  }
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity })).catch(unlessThere)
  await client.send(new CreateConfigurationSetCommand({ ConfigurationSetName: configurationSet })).catch(unlessThere)
}

/** Mails that ministack took from a sender for an address, in the order in which they were sent, as mail programs show them. */
export async function sentBy(sender: string, address: string): Promise<Email[]> {
  const answer = await fetch(`${process.env.AWS_ENDPOINT_URL}/_ministack/ses/messages`)
  const { messages } = (await answer.json()) as { messages: Record<string, SentMessage[]> }
  const mails = Object.values(messages)
    .flat()
    .filter(({ Source, To }) => Source === sender && To.includes(address))
  return mails.map(({ To, Subject, BodyText, BodyHtml }) => {
    assert.equal(To.length, 1)
    return { to: To[0]!, subject: decodeWords(Subject), text: BodyText, html: BodyHtml }
  })
}
