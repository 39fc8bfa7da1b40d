import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, type SESv2Client } from '@aws-sdk/client-sesv2'
import type { DeploymentSettings } from '../stack/settings.ts'

/** Domains that belong to nobody, so that SES can't verify them. Source: RFC 2606, section 3. */
const reserved = /@([^@]+\.)?example\.(com|net|org)$/

/**
 * Asks SES whether it sends e-mails of the stack. A stack can be made without: its sender may be verified later.
 * @returns warnings, in sentences
 */
export async function senderWarnings(
  client: Pick<SESv2Client, 'send'>,
  { mailSender }: Pick<DeploymentSettings, 'mailSender'>,
): Promise<string[]> {
  if (reserved.test(mailSender))
    return [`WARNING: ${mailSender} can't send, so no e-mail will arrive. Verify an address or domain in SES and name it in mailSender.`]
  const warnings: string[] = []
  if (!(await isVerified(client, mailSender)))
    warnings.push(`WARNING: SES has not verified ${mailSender} in this region, nor its domain: no e-mail will be sent until it has.`)
  const { ProductionAccessEnabled } = await client.send(new GetAccountCommand({}))
  if (!ProductionAccessEnabled)
    warnings.push(
      "WARNING: SES keeps this account in its sandbox: e-mails reach verified addresses alone. Ask for production access in SES's console.",
    )
  return warnings
}

/** Whether an identity is verified that may send as an address: the address, its domain, or a domain above. */
async function isVerified(client: Pick<SESv2Client, 'send'>, address: string): Promise<boolean> {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.')
  const domains = labels.slice(0, -1).map((_, first) => labels.slice(first).join('.'))
  for (const EmailIdentity of [address, ...domains]) {
    try {
      if ((await client.send(new GetEmailIdentityCommand({ EmailIdentity }))).VerifiedForSendingStatus) return true
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error
    }
  }
  return false
}
