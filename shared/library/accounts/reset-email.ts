import type { Email } from '../../backends/mail/port.ts'

/** The e-mail that carries a code: a link to the page where the new password is chosen, and the code for applications that ask for it themselves. */
export function resetEmail(input: { to: string; fullname: string; code: string; baseUrl: string; requestId: string }): Email {
  const { to, fullname, code, baseUrl, requestId } = input
  // In the fragment, which browsers send to nobody.
  const link = `${baseUrl}/authenticate/userpass/reset/confirm#code=${code}`
  const lines = [
    `Hello ${fullname},`,
    'somebody asked for a new password for your account. Choose it here, within one hour:',
    link,
    'Or, if your application asks you for a code:',
    code,
    'If it was not you, nothing needs to be done.',
    `Request ${requestId}`,
  ]
  const html = lines.map((line) => {
    if (line === link) return `<p><a href="${link}">Choose a new password</a></p>`
    return `<p>${line === code ? `<code>${line}</code>` : escapeHtml(line)}</p>`
  })
  return { to, subject: 'Your new password', text: lines.join('\n\n'), html: html.join('\n') }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
