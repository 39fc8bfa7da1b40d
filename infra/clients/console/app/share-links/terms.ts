import type { ChangeOfShare, Downloads, ShareLink } from './calls.ts'

/** What a link gives, as a form has it. */
export interface Terms {
  title: string
  message: string
  /** The last day on which the link works, in the reader's zone, as `2030-05-17`; empty: it doesn't end. */
  lastDay: string
  /** A new one; empty: none is given. */
  password: string
  isWithoutPassword: boolean
  download: Downloads
  upload: boolean
}

/** Characters of the shortest password. */
export const MIN_PASSWORD_LENGTH = 8

/** What a new link gives where nobody says more. */
export const usualTerms: Terms = {
  ...{ title: '', message: '', lastDay: '', password: '' },
  ...{ isWithoutPassword: false, download: 'none', upload: false },
}

export const termsOf = ({ title, message, expires, allow }: ShareLink): Terms => ({
  ...usualTerms,
  ...{ title: title ?? '', message: message ?? '' },
  ...{ lastDay: expires === null ? '' : dayOf(new Date(expires)), download: allow.download, upload: allow.upload },
})

/** The day of a time in the reader's zone, as date fields have it. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** What differs between two terms, as the service is asked for it. What stays is left out: the maker need not have the right to it any more. */
export function changeBetween(before: Terms, after: Terms): ChangeOfShare {
  const { title, message, lastDay, password, isWithoutPassword, download, upload } = after
  const allow = { ...(download !== before.download && { download }), ...(upload !== before.upload && { upload }) }
  return {
    ...(title !== before.title && { title: title || null }),
    ...(message !== before.message && { message: message || null }),
    ...(lastDay !== before.lastDay && { expires: lastDay === '' ? null : endOf(lastDay) }),
    ...(isWithoutPassword ? { password: null } : password !== '' && { password }),
    ...(Object.keys(allow).length > 0 && { allow }),
  }
}

const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString()
