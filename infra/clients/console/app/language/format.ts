import { language } from './language.svelte.ts'

/** A number as people write it. */
export const number = (value: number): string => new Intl.NumberFormat(language.locale).format(value)

/** A day by the calendar. @param value as `2026-05-17` */
export const day = (value: string, style: 'long' | 'medium' = 'medium'): string =>
  new Intl.DateTimeFormat(language.regional, { dateStyle: style, timeZone: 'UTC' }).format(new Date(value))

/** A day of the year by the calendar, as `May 17`. @param value as `2026-05-17` */
export const dayAndMonth = (value: string): string =>
  new Intl.DateTimeFormat(language.regional, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(value))

/** The day of a moment by the reader's calendar, as `2026-05-17`. @param value as {@link time} takes it */
export function dayOf(value: string | number): string {
  const moment = dateOf(value)
  return [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Today by the reader's calendar, as `2026-05-17`. */
export const today = (): string => dayOf(Date.now())

/** A moment by the reader's clock. @param value ISO time, `2026-05-17 10:00:00` in UTC, or UNIX milliseconds */
export const time = (value: string | number): string =>
  new Intl.DateTimeFormat(language.regional, { dateStyle: 'medium', timeStyle: 'short' }).format(dateOf(value))

/** A time as a camera's clock showed it, in no zone. @param value UNIX seconds, as if that clock showed UTC */
export const clockTime = (value: number): string =>
  new Intl.DateTimeFormat(language.regional, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(value * 1000)

const dateOf = (value: string | number): Date =>
  new Date(typeof value === 'string' && /^\d{4}-\d\d-\d\d \d/.test(value) ? `${value.replace(' ', 'T')}Z` : value)

/** The dimensions of a picture, in pixels. */
export const pixels = (width: number, height: number): string => `${number(width)} × ${number(height)}`

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in the unit that suits it. */
export function bytes(value: number): string {
  const power = Math.min(units.length - 1, value < 1000 ? 0 : Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** power
  return new Intl.NumberFormat(language.locale, {
    style: 'unit',
    unit: units[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: scaled < 10 && power > 0 ? 1 : 0,
  }).format(scaled)
}

/** Seconds as `1:05` or `1:02:03`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** The name of a language. @param tag as BCP 47 has it */
export const languageName = (tag: string): string => new Intl.DisplayNames(language.locale, { type: 'language' }).of(tag) ?? tag

/** The name of a language in itself. @param tag as BCP 47 has it */
export function ownNameOf(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** Names of which one is enough: `Film, Press or Events`. */
export const orList = (names: readonly string[]): string => new Intl.ListFormat(language.locale, { type: 'disjunction' }).format(names)
