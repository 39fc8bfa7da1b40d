import { hash } from 'node:crypto'
import { InvalidCursor, type Key, type Query } from './port.ts'
import { validKey } from './rules.ts'

/** The end of a page: the last item's key and, on an index, its sort key there. */
export interface PageEnd extends Key {
  indexSk?: string
}

/** Writes where a page of a query ended as an opaque text. */
export function encodeCursor(query: Query, end: PageEnd): string {
  const parts = query.index ? [end.sk, end.pk, end.indexSk] : [end.sk]
  return Buffer.from(JSON.stringify([fingerprint(query), ...parts])).toString('base64url')
}

/**
 * Reads a cursor. Nothing in it widens what the query may read: its partition comes from the query.
 * @throws InvalidCursor when it was not made by `encodeCursor` for the same query
 */
export function decodeCursor(query: Query, cursor: string): PageEnd {
  const parts = parse(cursor)
  if (parts.length !== (query.index ? 4 : 2) || parts[0] !== fingerprint(query)) throw new InvalidCursor('not a cursor of this query')
  const [, sk = '', pk = query.pk, indexSk] = parts
  try {
    if (indexSk === undefined) return validKey({ pk, sk })
    return { ...validKey({ pk, sk }), indexSk: validKey({ pk: query.pk, sk: indexSk }).sk }
  } catch {
    throw new InvalidCursor('not a cursor of this query')
  }
}

/** Writes where a page of a scan ended. */
export function encodeScanCursor({ pk, sk }: Key): string {
  return Buffer.from(JSON.stringify([SCAN, pk, sk])).toString('base64url')
}

/** @throws InvalidCursor when it was not made by `encodeScanCursor` */
export function decodeScanCursor(cursor: string): Key {
  const [kind, pk = '', sk = '', ...more] = parse(cursor)
  if (kind !== SCAN || more.length > 0) throw new InvalidCursor('not a cursor of a scan')
  try {
    return validKey({ pk, sk })
  } catch {
    throw new InvalidCursor('not a cursor of a scan')
  }
}

/** Marks cursors of scans. Cursors of queries have a fingerprint in its position, which is longer. */
const SCAN = 'scan'

function parse(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && parts.every((part) => typeof part === 'string')) return parts
  } catch {}
  throw new InvalidCursor('not a cursor')
}

/** Identifies a query. It guards against mistakes, not against forgery: a forged cursor only starts elsewhere in the same range. */
function fingerprint({ index, pk, sk, descending }: Query): string {
  return hash('sha256', JSON.stringify([index, pk, sk, descending === true]), 'base64url').slice(0, 12)
}
