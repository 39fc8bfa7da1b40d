import { domainToASCII } from 'node:url'

/** Characters of an unquoted local part (RFC 5322 `dot-atom`); SES takes no others either. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domain = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/

/**
 * An e-mail address as it goes into header and envelope: an international domain in its ASCII form. Undefined for anything but one bare
 * address (lists, names, comments, quoted parts, line breaks).
 */
export function asciiMailAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const host = domainToASCII(address.slice(at + 1))
  if (at < 1 || address.length > 254 || local.length > 64 || !localPart.test(local) || !domain.test(host)) return undefined
  return `${local}@${host}`
}

/** Whether mail can be sent to it. */
export function isMailAddress(address: string): boolean {
  return asciiMailAddress(address) !== undefined
}
