import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'

/** Characters of an unquoted local part (RFC 5322 `dot-atom`); SES takes no others either. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Characters of a domain, international ones included. */
const domainCharacters = /^[a-z0-9.\u{80}-\u{10ffff}-]+$/iu
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const ascii = new RegExp(`^${label}(\\.${label})*$`)

/**
 * A domain in its ASCII form (UTS 46), in which domains are stored and compared. Undefined for anything else, IPv4 addresses in any
 * spelling included. `domainToASCII` alone is not enough: it parses the host of a URL, so `a.test/.evil.test` and `a%2etest` would become
 * `a.test`.
 */
export function asciiDomain(text: string): string | undefined {
  const domain = domainCharacters.test(text) ? domainToASCII(text) : ''
  return ascii.test(domain) && domain.length <= 253 && !isIPv4(domain) ? domain : undefined
}

/**
 * An e-mail address as used in headers and envelopes, with the domain in its ASCII form. Undefined for anything but one bare address
 * (lists, names, comments, quoted parts, line breaks).
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
