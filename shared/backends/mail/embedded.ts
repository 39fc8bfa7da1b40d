import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Clock } from '../clock/port.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { writeWhole } from '../disk/whole-file.ts'
import { checkEmail } from './check-email.ts'
import { type Email, type Mail, MailUnavailable } from './port.ts'

export interface EmbeddedMailOptions {
  /** Folder for the mails; created if missing. Mails contain reset codes, so only the owner may read folder and files. */
  folder: string
  /** `From`: an address, with or without a name. */
  sender: string
  clock: Clock
}

/** Writes each mail as an RFC 5322 message into a folder instead of sending it: `<time>-<id>.eml`, so names sort by time. */
export function openEmbeddedMail({ folder, sender, clock }: EmbeddedMailOptions): Mail {
  makeFolder(folder)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  async function compose({ to, subject, text, html, headers }: Email, sent: Date): Promise<Uint8Array> {
    const { message } = await composer.sendMail({
      from: sender,
      to,
      subject,
      text,
      html,
      headers: { ...headers },
      date: sent,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return message as Buffer
  }

  return {
    async send(email) {
      const checked = checkEmail(email)
      const sent = new Date(clock.now())
      try {
        const name = `${sent.toISOString().replaceAll(':', '')}-${randomUUID()}.eml`
        await writeWhole(join(folder, name), await compose(checked, sent))
      } catch (cause) {
        throw new MailUnavailable('The mail could not be written', { cause })
      }
    },
  }
}
