import { asciiMailAddress } from '../../vocabulary/mail-address.ts'
import { type Email, InvalidEmail } from './port.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const control = /[\u0000-\u001f\u007f\u2028\u2029]/

/** @throws InvalidEmail when the recipient or a header's text is not safe to send */
export function checkEmail(email: Email): Email {
  if (control.test(email.subject)) throw new InvalidEmail('The subject contains a line break or control character')
  const to = asciiMailAddress(email.to)
  if (to === undefined) throw new InvalidEmail('The recipient is not one e-mail address')
  return { ...email, to }
}
