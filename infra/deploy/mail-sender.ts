import type { DeploymentSettings } from '../stack/settings.ts'

/** Domains that belong to nobody, so that SES can't verify them. Source: RFC 2606, section 3. */
const reserved = /@([^@]+\.)?example\.(com|net|org)$/

/** @returns a warning where e-mails can't be sent, as by the default sender */
export function senderWarning({ mailSender }: Pick<DeploymentSettings, 'mailSender'>): string | undefined {
  if (!reserved.test(mailSender)) return undefined
  return `WARNING: ${mailSender} can't send, so no e-mail will arrive. Verify an address or domain in SES and name it in mailSender.`
}
