import { domainToASCII } from 'node:url'
import { type Email, InvalidEmail } from './port.ts'

/** Characters of an unquoted local part (RFC 5322 `dot-atom`); SES takes no others either. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domain = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f\u2028\u2029]/

/**
 * The recipient's address as it goes into header and envelope: an international domain in its ASCII form.
 *
 * @throws InvalidEmail for anything but one bare address (lists, names, comments, quoted parts, line breaks)
 */
export function recipient(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const host = domainToASCII(address.slice(at + 1))
  if (at < 1 || address.length > 254 || local.length > 64 || !localPart.test(local) || !domain.test(host)) {
    throw new InvalidEmail('The recipient is not one e-mail address')
  }
  return `${local}@${host}`
}

/** Whether mail can be sent to it. */
export function isMailAddress(address: string): boolean {
  try {
    return recipient(address) !== ''
  } catch {
    return false
  }
}

/** @throws InvalidEmail when the recipient or a header's text is not safe to send */
export function checkEmail(email: Email): Email {
  if (control.test(email.subject)) throw new InvalidEmail('The subject contains a line break or control character')
  return { ...email, to: recipient(email.to) }
}
