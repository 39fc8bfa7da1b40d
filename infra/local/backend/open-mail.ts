import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Mail } from '../../../shared/backends/mail/port.ts'

/** Settings of e-mails. */
export interface MailOptions {
  /** `From` */
  mailSender: string
  /** The mail server; without one mails are written into the folder. */
  mailUrl?: string | undefined
  folder: string
  clock: Clock
}

/** Opens the mail of one machine. Loads the adapter on demand. */
export async function openMail({ mailSender: sender, mailUrl, folder, clock }: MailOptions): Promise<Mail> {
  if (mailUrl !== undefined) {
    const { smtpMail } = await import('../../../shared/backends/mail/smtp.ts')
    return smtpMail({ url: mailUrl, sender })
  }
  const { openEmbeddedMail } = await import('../../../shared/backends/mail/embedded.ts')
  return openEmbeddedMail({ folder, sender, clock })
}
