import type { Cookie } from '../protocol/cookies.ts'

/** Below this path is what people without an account see. */
export const SHARE_PATH = '/s/'

/** The address of a link. @param baseUrl of the API */
export const shareUrl = (baseUrl: string, secret: string): string => `${baseUrl}${SHARE_PATH}${secret}`

/** The address to which storage redirects a visitor after the upload. */
export const sharedFinalizeUrl = (baseUrl: string, secret: string, uploadId: string): string =>
  `${shareUrl(baseUrl, secret)}/upload/finalize/${uploadId}`

/** Cookies of a link: that its browser was there, and that its password was given. */
export const VISIT_COOKIE = 'visit'
export const PROOF_COOKIE = 'proof'

/** A cookie for the addresses of one link alone. */
export function shareCookie(name: string, value: string, at: { baseUrl: string; secret: string }): Cookie {
  return { name, value, path: new URL(shareUrl(at.baseUrl, at.secret)).pathname }
}
