import { language } from './language.svelte.ts'

/** A number as people write it. */
export const number = (value: number): string => new Intl.NumberFormat(language.locale).format(value)

/** A day. @param value ISO date or time in UTC */
export const day = (value: string | number, style: 'long' | 'medium' = 'medium'): string =>
  new Intl.DateTimeFormat(language.locale, { dateStyle: style, timeZone: 'UTC' }).format(dateOf(value))

/** A time in the reader's zone. @param value ISO time in UTC, or UNIX milliseconds */
export const time = (value: string | number): string =>
  new Intl.DateTimeFormat(language.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(dateOf(value))

/** The API writes `2026-05-17 10:00:00` in UTC. */
const dateOf = (value: string | number): Date =>
  new Date(typeof value === 'string' && /^\d{4}-\d\d-\d\d \d/.test(value) ? `${value.replace(' ', 'T')}Z` : value)

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
