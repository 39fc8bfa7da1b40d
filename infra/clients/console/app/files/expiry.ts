import { dayAndMonth, today } from '../language/format.ts'
import { text } from '../language/language.svelte.ts'

/** How many days before its end a file says so. */
const TOLD_DAYS = 30
const DAY_MS = 86_400_000

/** Whether the last day of a file is over, by the reader's calendar. @param lastDay as `2030-05-17`; files without one are good for ever */
export const hasExpired = (lastDay: string | null | undefined): boolean => Boolean(lastDay) && lastDay! < today()

/** `Expired`, or `Expires May 12` where that is soon; otherwise empty. @param lastDay as `2030-05-17` */
export function expiryText(lastDay: string | null | undefined): string {
  if (!lastDay) return ''
  if (hasExpired(lastDay)) return text.expired
  const days = (Date.parse(lastDay) - Date.parse(today())) / DAY_MS
  return days <= TOLD_DAYS ? text.expires(dayAndMonth(lastDay)) : ''
}
