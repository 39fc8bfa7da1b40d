import * as z from 'zod'
import { MAX_ID } from '../library/ids.ts'
import { hasNoControls } from '../library/names.ts'
import { OUT_OF_RANGE } from './middleware/input.ts'

/** An id in a path or a query: digits. A number that no id can be is refused with a message of its own, see input.ts. */
export const IdText = z
  .string()
  .regex(/^-?\d+$/, 'must be an id (a whole number)')
  .transform(Number)
  .refine((id) => id >= 1 && id <= MAX_ID, OUT_OF_RANGE)

/** An id in JSON: a number, or its digits as some clients send them. */
export const Id = z.union(
  [z.number().int().min(1).max(MAX_ID), z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(1).max(MAX_ID))],
  {
    error: 'must be an id (a whole number)',
  },
)

/** An id in an answer. */
export const AnswerId = z.number().int()

/** Control characters but tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const hasLoneSurrogate = (value: string) => !value.isWellFormed()

/** Free text, also over several lines: NFC, no control characters. @param max characters */
export function text(max: number) {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((value) => !CONTROL.test(value) && !hasLoneSurrogate(value), 'must not contain control characters')
    .transform((value) => value.normalize('NFC'))
}

/** A name: 1 to 255 characters after trim and NFC, no control characters (decision 18). */
export const Name = z
  .string()
  // White space around a name is a slip of pasting, a tab and a line break too; inside they are refused.
  .trim()
  .refine((value) => hasNoControls(value) && !hasLoneSurrogate(value), 'must not contain control characters')
  .transform((value) => value.normalize('NFC'))
  .pipe(z.string().min(1, 'must not be empty').refine(atMost255, 'must be at most 255 characters'))

/** Counted as people count: a pair of surrogates is one character. */
function atMost255(value: string): boolean {
  return value.length <= 255 || [...value].length <= 255
}

/** `yyyy-mm-dd` of a day that exists. */
export const Day = z.string().refine(isDay, 'must be a date like yyyy-mm-dd')

/** Whether the text is `yyyy-mm-dd` of a day that exists: `Date.parse()` takes February 30 for March 2. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
}

/** Nothing to say. */
export const Empty = z.object({})
