import {
  AccountSuspendedException,
  BadRequestException,
  MailFromDomainNotVerifiedException,
  MessageRejected,
  SESv2Client,
  type SESv2ClientConfig,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2'
import { requestLimits } from '../aws/request-limits.ts'
import { checkEmail } from './check-email.ts'
import { type Mail, MailRefused, MailUnavailable } from './port.ts'

/** A client with time limits on its requests. */
export function sesClient(config: SESv2ClientConfig = {}): SESv2Client {
  return new SESv2Client({ requestHandler: requestLimits(5000), ...config })
}

/** SES's errors for e-mails that it never accepts. `MessageRejected` is also its error for an unverified address. */
const refusals = [AccountSuspendedException, BadRequestException, MailFromDomainNotVerifiedException, MessageRejected]

/**
 * Sends through SES, which composes the message, so that the bundle needs no composer.
 *
 * @param options.sender an address that SES has verified, with or without a name
 * @param options.configurationSet name of the configuration set that reports bounces and complaints
 */
export function sesMail({
  sender,
  configurationSet,
  client = sesClient(),
}: {
  sender: string
  configurationSet: string
  client?: SESv2Client
}): Mail {
  return {
    async send(email) {
      const { to, subject, text, html, headers = {} } = checkEmail(email)
      const Headers = Object.entries(headers).map(([Name, Value]) => ({ Name, Value }))
      const command = new SendEmailCommand({
        FromEmailAddress: sender,
        ConfigurationSetName: configurationSet,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, Headers } },
      })
      try {
        await client.send(command)
      } catch (cause) {
        const Failure = refusals.some((refusal) => cause instanceof refusal) ? MailRefused : MailUnavailable
        throw new Failure(`SES did not take the mail: ${cause instanceof Error ? cause.name : 'unknown error'}`, { cause })
      }
    },
  }
}

function utf8(text: string): { Data: string; Charset: string } {
  return { Data: text, Charset: 'UTF-8' }
}
