import type { Email } from '../../backends/mail/port.ts'
import { renderEmail } from '../mail/email.ts'
import { passwordAddress } from './password-address.ts'

/** The e-mail with a code: a link to the page for a new password, and the code itself for applications with their own page. */
export function resetEmail(input: {
  to: string
  fullname: string
  code: string
  baseUrl: string
  brand: string
  requestId: string
}): Email {
  const { to, fullname, code, baseUrl, brand, requestId } = input
  return renderEmail({
    to,
    subject: 'Your new password',
    paragraphs: [
      `Hello ${fullname},`,
      'somebody asked for a new password for your account. Choose it here, within one hour:',
      { text: 'Choose a new password', link: passwordAddress(baseUrl, code) },
      'Or, if your application asks you for a code:',
      { code },
      'If it was not you, nothing needs to be done.',
    ],
    brand,
    requestId,
  })
}
