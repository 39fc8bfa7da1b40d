import type { Email } from '../../backends/mail/port.ts'
import { renderEmail } from '../mail/email.ts'
import { passwordAddress } from './password-address.ts'

/**
 * The e-mail for a new password: a link to the page where the user chooses it. For applications also the code, because they may have a page
 * of their own.
 */
export function resetEmail(input: {
  to: string
  fullname: string
  code: string
  /** Whether an application requested it, which may prompt for the code. */
  isForApplication: boolean
  baseUrl: string
  brand: string
  requestId: string
}): Email {
  const { to, fullname, code, isForApplication, baseUrl, brand, requestId } = input
  return renderEmail({
    to,
    subject: 'Your new password',
    paragraphs: [
      `Hello ${fullname},`,
      'somebody asked for a new password for your account. Choose it here, within one hour:',
      { text: 'Choose a new password', link: passwordAddress(baseUrl, code) },
      ...(isForApplication ? ['Or, if your application asks you for a code:', { code }] : []),
      `${isForApplication ? '' : 'The link works once. '}If it was not you, nothing needs to be done.`,
    ],
    brand,
    requestId,
  })
}
