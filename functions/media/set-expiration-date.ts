import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Day, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { ExpirationDate } from './schema.ts'

const Digits = z.union([z.string(), z.number().int()]).transform(String)
const Year = documentedAs(Digits.pipe(z.string().regex(/^\d{4}$/, 'must be a year of four digits')), {
  type: 'string',
  pattern: '^[0-9]{4}$',
})
const Month = documentedAs(Digits.pipe(z.string().regex(/^(0?[1-9]|1[0-2])$/, 'must be a month from 1 to 12')), {
  type: 'string',
  pattern: '^(0?[1-9]|1[0-2])$',
})

const ExpirationDay = z.object({ expiration_date: Day }).meta({ id: 'ExpirationDay' })
const ExpirationMonth = z
  .object({ expiration_year: Year, expiration_month: Month })
  .meta({ id: 'ExpirationMonth', examples: [{ expiration_year: '2030', expiration_month: '1' }] })

/** A date, or a month whose last day it becomes. */
const Expiration = z
  .union([ExpirationDay, ExpirationMonth], {
    error: 'must hold expiration_date (yyyy-mm-dd), or expiration_year and expiration_month',
  })
  .meta({ id: 'Expiration' })

export const setExpirationDate = endpoint({
  route: 'POST /media/{id}/metadata/expiration_date',
  summary: 'Set the expiration date of a file',
  description:
    'Takes a day, or a year and a month, whose last day it becomes. The file is good until the end of that day, UTC; expired files ' +
    'stay readable, and search can leave them out. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: Expiration,
  returns: ExpirationDate,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const expires = 'expiration_date' in body ? body.expiration_date : lastDay(Number(body.expiration_year), Number(body.expiration_month))
    await editOne(library, params.id, () => ({ expires }))
    return { expiration_date: expires }
  },
})

/** @param month 1 to 12 */
function lastDay(year: number, month: number): string {
  const date = new Date(0)
  // Day 0 of the next month; setUTCFullYear because Date.UTC takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month, 0)
  return date.toISOString().slice(0, 10)
}
