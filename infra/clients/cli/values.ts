import { InvalidArgumentError } from 'commander'
import { Rate } from './rate.ts'

/** Parses a whole number of an option. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses a whole number above 0. */
export function positive(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('It must be above 0.')
  return number
}

const UNITS = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** Bytes a second of all transfers of a command together. */
export const BWLIMIT = ['--bwlimit <bytes>', 'bytes a second of all transfers together, such as 10M', rate] as const

/** Parses bytes a second, such as `10M`. */
function rate(text: string): Rate {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text) ?? []
  const bytes = Number(number) * UNITS[(unit ?? '').toUpperCase() as keyof typeof UNITS]
  if (!(bytes > 0)) throw new InvalidArgumentError('It must be a number of bytes, such as 500K or 10M.')
  return new Rate(bytes)
}
