import type { Command } from 'commander'
import { MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { listMailFailures } from '../../../shared/library/mail/failures.ts'
import { timestamp } from '../../../shared/library/time.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { textTable } from '../text-table.ts'
import { limit, mailAddress, time } from '../values.ts'

/** `mail failures`, `mail test` */
export function mailCommands(program: Command, console: Console): void {
  const mail = noun(program, 'mail', 'e-mails that the service sends')

  verb(mail, 'failures', 'list e-mails that did not arrive or were called spam, newest first, of the last 90 days', [
    'mail failures --stack media-library',
    'mail failures --since 2026-05-17 --limit 20 --json --stack media-library',
  ])
    .option('--since <time>', 'a day or a time of UTC, like 2026-05-17 or 2026-05-17T09:30:00Z', time, 0)
    .option('--limit <count>', 'how many at most', limit, 100)
    .addHelpText('after', FAILURES_HELP)
    .action(
      act<{ since: number; limit: number }>(console, async (library, options) => {
        const failures = await listMailFailures(library, options)
        const json = failures.map(({ time, kind, recipient, subject, messageId, diagnostic }) => {
          return { time: timestamp(time), kind, recipient, subject, message_id: messageId, diagnostic }
        })
        const rows = json.map((one) => [one.time, one.kind, one.recipient, one.subject, one.diagnostic])
        const table = textTable(['TIME (UTC)', 'KIND', 'RECIPIENT', 'SUBJECT', 'DIAGNOSTIC'], rows)
        return { json, text: json.length === 0 ? 'No e-mail failed.' : table }
      }),
    )

  verb(mail, 'test', 'send an e-mail to an address of yours, and say what the mail server answers', [
    'mail test anna@example.com',
    'mail test anna@example.com --stack media-library',
  ])
    .argument('<address>', 'who gets it', mailAddress)
    .addHelpText('after', TEST_HELP)
    .action(
      act(console, async (library, _, [to = '']) => {
        const { mail, name } = await library.openMail()
        await mail.send({ to: to.trim(), ...TEST }).catch((error: unknown) => {
          if (!(error instanceof MailUnavailable)) throw error
          throw new Error(`${error.message} (${name}): ${error.cause instanceof Error ? error.cause.message : error.cause}`)
        })
        return { json: { sent: true }, text: `An e-mail to ${to} went to ${name}.` }
      }),
    )
}

const FAILURES_HELP = `
KIND is "bounce" (the recipient's mail server refused it), "complaint" (the recipient called it spam) or "reject" (SES refused it).
SES stops sending for an account with too many bounces and complaints: correct or remove such addresses with "user set-email".

A library on one machine lists none: its e-mails are files in DATA_DIR/mail, or go to the mail server of MAIL_URL, which reports
failures to the address of MAIL_SENDER.`

const TEXT = 'This e-mail shows that the media library can send e-mails. Nobody has to do anything.'
const TEST = { subject: 'A test of e-mails of the media library', text: `${TEXT}\n`, html: `<p>${TEXT}</p>` }

const TEST_HELP = `
On one machine it reads MAIL_URL and MAIL_SENDER of its own environment: give it those of the server. A user name in MAIL_URL requires
that the mail server encrypts (TLS). Without MAIL_URL the e-mail is a file in DATA_DIR/mail.`
