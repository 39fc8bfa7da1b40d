import type { CompanyId } from '../../vocabulary/ids.ts'
import { Invalid } from '../errors.ts'

const SHAPE = /^(\d{1,10})\.(0|[1-9]\d{0,11})$/

/** A cursor in a company's feed: the position after the event of this number. */
export const cursorAt = (companyId: CompanyId, number: number): string => Buffer.from(`${companyId}.${number}`).toString('base64url')

/** The number of the event before a cursor. @throws Invalid for malformed cursors and other companies */
export function numberIn(cursor: string, companyId: CompanyId): number {
  const [, ofCompany, number] = SHAPE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (number === undefined || Number(ofCompany) !== companyId || cursorAt(companyId, Number(number)) !== cursor) throw unknownCursor()
  return Number(number)
}

export const unknownCursor = () =>
  new Invalid({ path: 'cursor', message: 'must be `now`, or a cursor of an earlier answer for this company' })
