import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'

/** Characters of an unquoted local part (RFC 5322 `dot-atom`); SES takes no others either. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** What a domain is written of, international ones too. */
const written = /^[a-z0-9.\u{80}-\u{10ffff}-]+$/iu
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const ascii = new RegExp(`^${label}(\\.${label})*$`)

/**
 * A domain in its ASCII form (UTS 46), in which domains are kept and compared. Undefined for anything else, addresses of IPv4 in any spelling
 * too: `domainToASCII` alone reads the host of a URL, so `a.test/.evil.test` and `a%2etest` would be `a.test`.
 */
export function asciiDomain(text: string): string | undefined {
  const domain = written.test(text) ? domainToASCII(text) : ''
  return ascii.test(domain) && domain.length <= 253 && !isIPv4(domain) ? domain : undefined
}

/**
 * An e-mail address as it goes into header and envelope: an international domain in its ASCII form. Undefined for anything but one bare
 * address (lists, names, comments, quoted parts, line breaks).
 */
export function asciiMailAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = asciiDomain(address.slice(at + 1))
  if (at < 1 || local.length > 64 || !localPart.test(local) || domain === undefined) return undefined
  const form = `${local}@${domain}`
  return form.length <= 254 ? form : undefined
}

/** Whether mail can be sent to it. */
export function isMailAddress(address: string): boolean {
  return asciiMailAddress(address) !== undefined
}
