import { createTransport } from 'nodemailer'
import { checkEmail } from './check-email.ts'
import { type Mail, MailUnavailable } from './port.ts'

/** Time limit of each step with the mail server, in milliseconds. The job that sends has 30 s. */
const TIMES = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000 }

/**
 * Sends through a mail server, with a connection per mail: encrypted if the server offers STARTTLS (`smtp:`) or from the start (`smtps:`).
 *
 * @param options.url `smtp://user:password@host:port`
 * @param options.sender `From`: an address, with or without a name
 */
export function smtpMail({ url, sender }: { url: string; sender: string }): Mail {
  const { protocol, hostname, port, username, password } = new URL(url)
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port && { port: Number(port) }),
    secure: protocol === 'smtps:',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    // Without encryption the network could read the password and the reset codes.
    requireTLS: username !== '',
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMES,
  })
  return {
    async send(email) {
      const { to, subject, text, html, headers } = checkEmail(email)
      try {
        await transport.sendMail({ from: sender, to, subject, text, html, headers: { ...headers } })
      } catch (cause) {
        throw new MailUnavailable('The mail server did not take the mail', { cause })
      }
    },
  }
}
